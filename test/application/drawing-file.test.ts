import { expect } from 'chai';
import { packDrawing, unpackDrawing } from '#application/drawing-file.js';
import { type Drawing, LINE, MOVE } from '#domain/drawing/drawing.js';

const drawing: Drawing = {
  width: 3,
  height: 5.5,
  crispEdges: true,
  commands: Uint8Array.of(MOVE, LINE, LINE),
  coords: Float64Array.of(0.1, 1 / 3, -1e-300, 5e10, Math.PI, 0),
  items: [
    {
      kind: 'group',
      opacity: 0.25,
      clip: [{ kind: 'circle', cx: 1, cy: 2, r: 0.1 + 0.2 }],
      items: [
        {
          kind: 'shape',
          geometry: { kind: 'path', firstCommand: 0, commandCount: 3, firstCoord: 0, evenOdd: true },
          fill: { kind: 'solid', color: 0xfedcba, opacity: 1 },
          stroke: null,
          visibleAreaPx: 7,
        },
      ],
    },
  ],
};

describe('a drawing as bytes', () => {
  it('comes back the same, to the bit', () => {
    expect(unpackDrawing(packDrawing(drawing))).to.deep.equal(drawing);
    const empty: Drawing = { ...drawing, items: [], commands: new Uint8Array(), coords: new Float64Array() };
    expect(unpackDrawing(packDrawing(empty))).to.deep.equal(empty);
  });

  it('can be read from any place in a larger buffer', () => {
    const bytes = packDrawing(drawing);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(unpackDrawing(shifted.subarray(3))).to.deep.equal(drawing);
  });

  it('is refused when it was cut, or is something else', () => {
    const bytes = packDrawing(drawing);
    for (const cut of [0, 3, 23, 24, bytes.length - 1])
      expect(() => unpackDrawing(bytes.subarray(0, cut)), `${cut}`).to.throw(RangeError);
    const later = bytes.slice();
    later[4] = 2;
    expect(() => unpackDrawing(later)).to.throw(RangeError, 'version');
    expect(() => unpackDrawing(new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'))).to.throw(
      RangeError,
    );
  });
});
