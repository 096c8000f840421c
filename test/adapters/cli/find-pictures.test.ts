import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findPictures, globExpression } from '#adapters/cli/find-pictures.js';

describe('finding pictures', () => {
  let folder: string;
  const at = (...names: string[]) => join(folder, ...names);
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'burin-find-'));
    mkdirSync(at('in', 'deep', 'er'), { recursive: true });
    mkdirSync(at('in', '.hidden'));
    mkdirSync(at('empty'));
    for (const name of ['b.png', 'a.JPG', 'notes.txt', 'deep/c.webp', 'deep/er/d.avif', '.hidden/e.png', 'x[1].bmp'])
      writeFileSync(at('in', name), '');
    symlinkSync(at('in'), at('in', 'deep', 'loop'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const placesOf = (...inputs: string[]) => findPictures(inputs).map(({ place }) => place);

  it('takes every picture in and below a folder, in the order of their names', () => {
    expect(placesOf(at('in'))).to.deep.equal(['a.JPG', 'b.png', 'deep/c.webp', 'deep/er/d.avif', 'x[1].bmp']);
    expect(findPictures([at('in')])[0]!.path).to.equal(at('in', 'a.JPG'));
  });

  it('understands patterns that the shell left alone, and keeps the place below their folder', () => {
    expect(placesOf(at('in/*.png'))).to.deep.equal(['b.png']);
    expect(placesOf(at('in/**/*.{webp,avif}'))).to.deep.equal(['deep/c.webp', 'deep/er/d.avif']);
    expect(placesOf(at('in/deep/*/?.avif'))).to.deep.equal(['er/d.avif']);
    expect(placesOf(at('in/[a-b].*'))).to.deep.equal(['a.JPG', 'b.png']);
  });

  it('takes a name that is there as a name, and one that is not for its own message', () => {
    expect(placesOf(at('in', 'x[1].bmp'), at('in', 'notes.txt'), at('none.png'), '-')).to.deep.equal([
      'x[1].bmp',
      'notes.txt',
      'none.png',
      'stdin',
    ]);
  });

  it('refuses what finds nothing', () => {
    for (const input of [at('empty'), at('in/*.gif'), at('nowhere/*.png')])
      expect(() => findPictures([input]), input).to.throw(/^IN: /);
  });

  it('holds names against patterns', () => {
    const cases: readonly [pattern: string, yes: string[], no: string[]][] = [
      ['*.png', ['a.png', '.png'], ['a/b.png', 'apng']],
      ['**/*.png', ['a.png', 'a/b/c.png'], ['a.jpg']],
      ['a/**', ['a/b', 'a/b/c'], ['b/a']],
      ['{a,b}(1).png', ['a(1).png', 'b(1).png'], ['c(1).png', 'a1.png']],
      ['[!a]?.png', ['bc.png'], ['ab.png', 'b.png']],
      ['a,b.png', ['a,b.png'], ['a', 'b.png']],
    ];
    for (const [pattern, yes, no] of cases) {
      for (const name of yes) expect(name).to.match(globExpression(pattern));
      for (const name of no) expect(name).to.not.match(globExpression(pattern));
    }
  });
});
