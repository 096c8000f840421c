import { expect } from 'chai';
import { fileNameFor } from '#application/file-name.js';

describe('the name of a produced file', () => {
  const cases: [string | undefined, string][] = [
    ['logo.png', 'logo.svg'],
    ['My Logo (final).v2.PNG', 'My-Logo-final-v2.svg'],
    ['größe 日本.jpg', 'größe-日本.svg'],
    ['../../etc/passwd', 'passwd.svg'],
    ['C:\\Users\\x\\pic.bmp', 'pic.svg'],
    ['a"; filename="evil.exe', 'a-filename-evil.svg'],
    ['a\r\nSet-Cookie: x=1.png', 'a-Set-Cookie-x-1.svg'],
    ['.htaccess', 'htaccess.svg'],
    ['...', 'drawing.svg'],
    ['', 'drawing.svg'],
    [undefined, 'drawing.svg'],
    ['<script>alert(1)</script>', 'script.svg'],
    ['\u202Egnp.exe', 'gnp.svg'],
    [`${'x'.repeat(300)}.png`, `${'x'.repeat(80)}.svg`],
  ];
  it('is made of harmless characters only', () => {
    expect(cases).to.have.length(14);
    for (const [given, expected] of cases) expect(fileNameFor(given, 'svg'), `${given}`).to.equal(expected);
  });
});
