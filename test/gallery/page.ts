/** A drawing on the page: its file beside it, and what it took. */
export interface GalleryDrawing {
  readonly file: string;
  readonly nodes: number;
  readonly bytes: number;
  readonly ms: number;
}

export interface GalleryRow {
  readonly name: string;
  readonly picture: string;
  readonly width: number;
  readonly height: number;
  readonly ours: GalleryDrawing;
  readonly theirs?: GalleryDrawing;
  /** With other settings: what they are called, and what they gave. */
  readonly others?: readonly { readonly title: string; readonly drawing: GalleryDrawing }[];
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const source = (file: string) => escaped(encodeURIComponent(file));

function figure(title: string, file: string, { width, height }: GalleryRow, more: string): string {
  const size = `style="--w:${width};--h:${height}"`;
  return `<figure><div class="view"><img ${size} src="${source(file)}" alt="${escaped(title)}"></div><figcaption>${escaped(title)}${more}</figcaption></figure>`;
}

const figures = ({ nodes, bytes, ms }: GalleryDrawing) =>
  `<br>${nodes} nodes, ${(bytes / 1024).toFixed(1)} KB, ${ms.toFixed(0)} ms`;

/** The page: every picture beside its drawings, all enlarged alike; hold the mouse on one to move all of its row together. */
export function galleryPage(rows: readonly GalleryRow[], hasOther: boolean): string {
  const sections = rows.map(
    (row) =>
      `<section><h2>${escaped(row.name)} <small>${row.width} x ${row.height}</small></h2><div class="row">${[
        figure('picture', row.picture, row, ''),
        figure('ours', row.ours.file, row, figures(row.ours)),
        ...(row.others ?? []).map(({ title, drawing }) => figure(title, drawing.file, row, figures(drawing))),
        row.theirs ? figure('vtracer', row.theirs.file, row, figures(row.theirs)) : '',
      ].join('')}</div></section>`,
  );
  const missing = hasOther
    ? ''
    : '<p>vtracer is absent: name its package folder in BURIN_TEST_VTRACER to have its drawings beside ours.</p>';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Gallery</title>
<style>
:root { --zoom: 2 }
body { font: 14px system-ui, sans-serif; margin: 16px; background: #f4f4f4; color: #222 }
header { position: sticky; top: 0; background: #f4f4f4; padding: 8px 0; z-index: 1 }
.row { display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); gap: 12px }
figure { margin: 0 }
.view { overflow: auto; max-height: 70vh; background: repeating-conic-gradient(#ddd 0 25%, #fff 0 50%) 0 0/16px 16px; border: 1px solid #bbb }
.view img { display: block; width: calc(var(--w) * var(--zoom) * 1px); height: calc(var(--h) * var(--zoom) * 1px); image-rendering: pixelated }
figcaption { padding: 4px 0 12px }
small { font-weight: normal; color: #666 }
</style>
<header><label>Enlarged <input id="zoom" type="range" min="1" max="16" value="2"> <output id="by">2</output> times</label></header>
<p>Of ${rows.length} pictures: as they are, as we draw them${hasOther ? ', as vtracer does' : ''}. The views of a row move together.</p>
${missing}
${sections.join('\n')}
<script>
const zoom = document.getElementById('zoom');
zoom.addEventListener('input', () => {
  document.documentElement.style.setProperty('--zoom', zoom.value);
  document.getElementById('by').value = zoom.value;
});
for (const row of document.querySelectorAll('.row')) {
  const views = [...row.querySelectorAll('.view')];
  for (const view of views)
    view.addEventListener('scroll', () => {
      for (const other of views)
        if (other !== view && (other.scrollLeft !== view.scrollLeft || other.scrollTop !== view.scrollTop))
          other.scrollTo(view.scrollLeft, view.scrollTop);
    });
}
</script>
</html>
`;
}
