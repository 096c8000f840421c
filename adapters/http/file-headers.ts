/** Forbids a file everything, should a browser open it after all. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** Characters of RFC 8187's attr-char stay; encodeURIComponent leaves some more, which must go. */
const extended = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Content-Disposition by RFC 6266: a plain name for old programs, the whole one for the others. */
export function contentDisposition(fileName: string): string {
  const plain = fileName.normalize('NFKD').replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended(fileName)}`;
}

/** For every produced file that goes out: it is saved, never run. */
export const fileHeaders = (mediaType: string, fileName: string): Readonly<Record<string, string>> => ({
  'content-type': mediaType,
  'content-disposition': contentDisposition(fileName),
  'x-content-type-options': 'nosniff',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cache-control': 'private, no-store',
});
