/** What the service answers when it refuses, and what stands for it when it does not answer at all. */
export interface Problem {
  /** 0 where no answer came. */
  readonly status: number;
  readonly code: string;
  readonly error: string;
  /** The field of the request at fault. */
  readonly field?: string;
  readonly retry_after_seconds?: number;
  readonly request_id?: string;
}

export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.error);
    this.name = 'ProblemError';
    this.problem = problem;
  }
}

const UNREACHABLE: Problem = {
  status: 0,
  code: 'UNREACHABLE',
  error: 'The service does not answer. Your pictures and settings are kept here; try again when it is back.',
};

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Anything that was thrown, as something to show. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  // fetch and streams throw TypeErrors where the connection fails.
  if (error instanceof TypeError) return UNREACHABLE;
  return { status: 0, code: 'BROWSER_ERROR', error: error instanceof Error ? error.message : String(error) };
}

async function readProblem(answer: Response): Promise<Problem> {
  const body: unknown = await answer.json().catch(() => null);
  if (typeof body === 'object' && body !== null && 'code' in body && 'error' in body)
    return { status: answer.status, ...(body as Omit<Problem, 'status'>) };
  return { status: answer.status, code: `HTTP_${answer.status}`, error: `The service answered with ${answer.status}.` };
}

/** A request to the service that serves this page. Throws ProblemError for anything but success. */
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ProblemError(UNREACHABLE);
  }
  if (!answer.ok) throw new ProblemError(await readProblem(answer));
  return answer;
}

/** The JSON body of an answer. */
export async function askJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  return (await (await ask(path, init)).json()) as T;
}

/** A request with a JSON body. */
export const sendJson = <T>(method: string, path: string, body: unknown, init: RequestInit = {}): Promise<T> =>
  askJson<T>(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  });

/** Where a produced file is fetched. */
export const downloadUrl = (basename: string, fileName: string): string =>
  `/download-file?${new URLSearchParams({ fileBasename: basename, actualFilename: fileName })}`;

/** Saves what is at an address, under the name that the service gives it or this one. */
export function save(url: string, fileName = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
}
