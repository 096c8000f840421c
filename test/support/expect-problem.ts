import { expect } from 'chai';
import type { LightMyRequestResponse } from 'fastify';
import Value from 'typebox/value';
import type { ProblemBody } from '#adapters/http/problem.js';
import { ErrorAnswer } from '#adapters/http/schemas/answers.js';

/** Asserts that an answer is an error as every error must be, and gives its body. */
export function expectProblem(
  answer: LightMyRequestResponse,
  status: number,
  code: string,
  field?: string,
): ProblemBody {
  expect(answer.statusCode, answer.body).to.equal(status);
  expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
  const body = answer.json<ProblemBody>();
  expect(Value.Check(ErrorAnswer, body), answer.body).to.equal(true);
  expect(body.code, body.error).to.equal(code);
  expect(body.field, body.error).to.equal(field);
  expect(answer.headers['x-request-id']).to.equal(body.request_id);
  expect(answer.headers['retry-after']).to.equal(body.retry_after_seconds?.toString());
  return body;
}
