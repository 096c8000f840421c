import { expect } from 'chai';
import { galleryPage } from './page.js';

const drawing = { file: 'a.ours.svg', nodes: 12, bytes: 2048, ms: 7.4 };
const row = { name: 'a <b>', picture: 'a.png', width: 20, height: 10, ours: drawing };

describe('the gallery', () => {
  it('has each picture beside its drawings, with what they took', () => {
    const page = galleryPage([{ ...row, theirs: { ...drawing, file: 'a.vtracer.svg', nodes: 99 } }], true);
    for (const file of ['a.png', 'a.ours.svg', 'a.vtracer.svg']) expect(page).to.include(`src="${file}"`);
    expect(page).to.include('12 nodes, 2.0 KB, 7 ms').and.to.include('99 nodes');
    expect(page).to.not.include('absent');
  });

  it('has the drawings with other settings between ours and theirs', () => {
    const others = [{ title: 'details low', drawing: { ...drawing, file: 'a.low.svg', nodes: 5 } }];
    const page = galleryPage([{ ...row, others, theirs: { ...drawing, file: 'a.vtracer.svg' } }], true);
    const order = ['a.ours.svg', 'a.low.svg', 'a.vtracer.svg'].map((file) => page.indexOf(`src="${file}"`));
    expect(order).to.deep.equal([...order].sort((a, b) => a - b));
    expect(page).to.include('details low').and.to.include('5 nodes');
  });

  it('says that the other tracer is absent where it is, and takes names for text', () => {
    const page = galleryPage([row], false);
    expect(page).to.include('vtracer is absent');
    expect(page).to.not.include('a <b>');
  });
});
