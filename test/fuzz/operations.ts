import type { Method, Operation } from './random-requests.js';

/** Pages and files that the description does not name. */
const BESIDE: readonly Operation[] = [
  ...['/', '/docs', '/docs/{page}', '/livez', '/readyz', '/metrics', '/nothing/{x}', '/download-file'].map((path) => ({
    method: 'GET' as const,
    path,
    queryNames: [],
  })),
  { method: 'POST', path: '/mcp', queryNames: [] },
];

interface Description {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly parameters?: readonly { readonly in: string; readonly name: string }[] }>>
    >
  >;
}

/** Every address of a service, by its own OpenAPI description and beside it. Throws where that describes next to nothing. */
export function operationsOf(openApi: unknown): readonly Operation[] {
  const { paths } = openApi as Description;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => ({
      method: method.toUpperCase() as Method,
      path,
      queryNames: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    })),
  );
  if (operations.length < 20) throw new Error(`the description has only ${operations.length} operations`);
  return [...operations, ...BESIDE];
}
