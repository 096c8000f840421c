import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '#test/support/package-root.js';

const ASSETS = join(PACKAGE_ROOT, 'dist/adapters/web/assets');
const JAVASCRIPT_LIMIT = 120 * 1024;

describe('the pages of the browser', () => {
  it('load at most 120 KB of JavaScript, compressed', () => {
    const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
    expect(scripts).to.have.length.above(2);
    const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(ASSETS, name))).length, 0);
    console.log(`      ${(bytes / 1024).toFixed(1)} KB in ${scripts.length} files`);
    expect(bytes).to.be.at.most(JAVASCRIPT_LIMIT);
  });
});
