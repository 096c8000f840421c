/** A picture that was opened. */
export interface Picture {
  readonly id: string;
  readonly name: string;
  /** What is sent to the service. */
  readonly blob: Blob;
  /** Null where the browser cannot show it; the service may read it all the same. */
  readonly bitmap: ImageBitmap | null;
}

export const MAX_PICTURES = 10;
/** Drawings are painted at least so large before they are traced. */
const LEAST_SVG_PX = 1024;
const MOST_SVG_PX = 4096;

const isSvg = ({ type, name }: File): boolean => type === 'image/svg+xml' || /\.svg$/i.test(name);

const FOREIGN = /<foreignObject\b[\s\S]*?<\/foreignObject\s*>/gi;

/**
 * A drawing without the pages within it, which would keep a canvas from being read. Not a cleaning: as an image nothing in it
 * runs, whatever is left. (Parsed it is not: the page's policy would be told of every style and handler in it.)
 */
const paintable = async (file: Blob): Promise<Blob> =>
  new Blob([(await file.text()).replace(FOREIGN, '')], { type: 'image/svg+xml' });

/** A drawing as pixels. As an image, nothing in it runs and nothing is fetched. */
async function rasterize(file: Blob): Promise<Blob> {
  const url = URL.createObjectURL(await paintable(file));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const longest = Math.max(image.naturalWidth, image.naturalHeight, 1);
    const scale = Math.min(Math.max(1, LEAST_SVG_PX / longest), MOST_SVG_PX / longest);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round((image.naturalWidth || LEAST_SVG_PX) * scale));
    canvas.height = Math.max(1, Math.round((image.naturalHeight || LEAST_SVG_PX) * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob === null) throw new Error('The drawing is too large to be painted.');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Opens what was dropped, pasted or picked. Rejects for a drawing that is none. */
export async function openPicture(file: File): Promise<Picture> {
  const name = file.name || 'picture.png';
  let blob: Blob = file;
  if (isSvg(file)) {
    try {
      blob = await rasterize(file);
    } catch {
      throw new Error(`${name} is not a drawing that can be shown.`);
    }
  }
  return { id: crypto.randomUUID(), name, blob, bitmap: await decode(blob) };
}

export const decode = (blob: Blob): Promise<ImageBitmap | null> => createImageBitmap(blob).catch(() => null);

/** Pictures in what was dropped or pasted. */
export const filesIn = (data: DataTransfer | null): readonly File[] => [...(data?.files ?? [])];
