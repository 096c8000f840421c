import { Resvg } from '@resvg/resvg-js';

/** An SVG of our own or of an icon package, so wide; straight RGBA. On nothing where no ground is given. */
export function renderSvg(svg: string, width: number, ground?: string) {
  const options = {
    fitTo: { mode: 'width' as const, value: Math.round(width) },
    ...(ground !== undefined && { background: ground }),
  };
  const image = new Resvg(svg, options).render();
  const data = new Uint8Array(image.pixels);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] as number;
    if (alpha > 0 && alpha < 255)
      for (let c = 0; c < 3; c++) data[at + c] = Math.min(255, Math.round(((data[at + c] as number) * 255) / alpha));
  }
  return { width: image.width, height: image.height, data };
}
