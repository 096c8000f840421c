import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { peekBody, readArrivedForm } from '#adapters/http/arrived-form.js';
import { convertForm, MULTIPART_TYPE, multipartBody, type Part } from '#test/support/multipart.js';

const picture = Buffer.from('a picture\r\nof two lines');
const read = (body: Buffer, type = MULTIPART_TYPE) => readArrivedForm(body, type, 'imageFile');
const file: Part = { name: 'imageFile', value: picture, fileName: 'a b.png', type: 'image/png' };

describe('a form that has arrived', () => {
  it('says its fields, wherever the file stands', () => {
    const fields = { quality_tier: 'fast', palette: 'täglich' };
    expect(read(convertForm(picture, fields))?.fields).to.deep.equal(fields);
    expect(read(multipartBody([file, { name: 'preset', value: 'logo' }]))?.fields).to.deep.equal({ preset: 'logo' });
    expect(read(multipartBody([file]))?.fields).to.deep.equal({});
    expect(read(multipartBody([file]), MULTIPART_TYPE.replace(/=(.*)/, '="$1"'))?.fields).to.deep.equal({});
  });

  it('has the same text as another exactly where both say the same', () => {
    const textOf = (fields: Record<string, string>) => read(convertForm(picture, fields))?.text;
    expect(textOf({ a: 'b', c: 'd' })).to.equal(textOf({ a: 'b', c: 'd' }));
    const others = [{ a: 'b' }, { a: 'b', c: 'e' }, { a: 'b\nc\rd' }, { a_b: '', c: 'd' }, { ab: '', c: 'd' }];
    expect(new Set(others.map(textOf)).size).to.equal(others.length);
  });

  it('is left to a real parser where anything about it is unusual', () => {
    const whole = convertForm(picture, { quality_tier: 'fast' });
    const odd: Readonly<Record<string, [Buffer, string?]>> = {
      'cut short': [whole.subarray(0, -3)],
      'more after its end': [Buffer.concat([whole, Buffer.from('more')])],
      'something before its beginning': [Buffer.concat([Buffer.from('hello\r\n'), whole])],
      'no file': [convertForm(undefined, { quality_tier: 'fast' })],
      'an empty file': [convertForm(Buffer.alloc(0))],
      'two files': [multipartBody([file, file])],
      'a file under another name': [multipartBody([file, { ...file, name: 'other' }])],
      'a value in the place of the file': [multipartBody([{ name: 'imageFile', value: 'text' }])],
      'a field given twice': [
        multipartBody([{ name: 'preset', value: 'logo' }, { name: 'preset', value: 'logo' }, file]),
      ],
      'a name of other letters': [multipartBody([{ name: '__proto__[x]', value: '1' }, file])],
      'a very long value': [convertForm(picture, { preset: 'x'.repeat(5000) })],
      'a part with a header more': [
        Buffer.from(whole.toString('latin1').replace('\r\nContent-Type', '\r\nX-More: 1\r\nContent-Type'), 'latin1'),
      ],
      'another boundary': [whole, 'multipart/form-data; boundary=another'],
      'no boundary': [whole, 'multipart/form-data'],
      'another type': [whole, 'application/json'],
    };
    for (const [what, [body, type]] of Object.entries(odd)) expect(read(body, type), what).to.equal(undefined);
    expect(read(whole)).not.to.equal(undefined);
  });
});

describe('a body that is looked at before it is read', () => {
  const requestOf = (pieces: readonly string[]) =>
    Readable.from(
      pieces.map((piece) => Buffer.from(piece)),
      { objectMode: false },
    ) as unknown as IncomingMessage;

  it('is shown whole, and is there still', async () => {
    const request = requestOf(['one ', 'two ', 'three']);
    const shown = await new Promise<Buffer | undefined>((show) => peekBody(request, 13, show));
    expect(shown?.toString()).to.equal('one two three');
    expect(await text(request)).to.equal('one two three');
  });

  it('is not shown where the request ends before that', async () => {
    const request = requestOf(['one ']);
    let shown: unknown = 'nothing yet';
    peekBody(request, 13, (body) => {
      shown = body;
    });
    await once(request, 'close');
    expect(shown).to.equal(undefined);
  });
});
