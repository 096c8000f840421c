import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';

const NUMBER_DIGITS = 10;
const MARK = '#'.repeat(NUMBER_DIGITS);

/**
 * Requests for conversions, written before the clock runs: what is sent is put together of pieces that are there. Each is of a
 * picture that was not there before, by a number after its last byte.
 */
export function prepareConversions(
  url: string,
  pictures: readonly Buffer[],
  settings: Readonly<Record<string, string>> = {},
): (index: number, secret: string) => readonly (string | Buffer)[] {
  const forms = pictures.map((picture) => {
    const form = convertForm(Buffer.concat([picture, Buffer.from(MARK)]), settings);
    const at = form.lastIndexOf(MARK);
    const head = [
      'POST /api/v1/convert HTTP/1.1',
      `host: ${new URL(url).host}`,
      `content-type: ${MULTIPART_TYPE}`,
      `content-length: ${form.length}`,
      'x-api-key: ',
    ].join('\r\n');
    return { head, before: form.subarray(0, at), after: form.toString('latin1', at + NUMBER_DIGITS) };
  });
  return (index, secret) => {
    const { head, before, after } = forms[index % forms.length] as (typeof forms)[number];
    return [`${head}${secret}\r\n\r\n`, before, `${String(index).padStart(NUMBER_DIGITS, '0')}${after}`];
  };
}
