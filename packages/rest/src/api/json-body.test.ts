import { expect, it } from 'vitest'
import type { ApiRequest } from './api-request.ts'
import { readJsonBody } from './json-body.ts'

const body = new TextEncoder().encode('{}')
const createRequest = (contentType: string, contentEncoding?: string): ApiRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  mountPath: '',
  header: (name) => ({ 'content-type': contentType, 'content-encoding': contentEncoding })[name],
  hasBody: true,
  readBody: (limit, createError) =>
    body.length > limit ? Promise.reject(createError()) : Promise.resolve(body),
  streamBody: () => new ReadableStream(),
  clientAddress: undefined,
  requestId: 'request-1',
  signal: undefined,
  raw: undefined,
})

// RFC 9110, section 5.6.6: empty parameters are ignored, and unknown parameters do not change the type. All names of UTF-8
// are accepted, and US-ASCII is a subset of UTF-8.
it.each([
  'application/json',
  'Application/JSON ; charset="UTF-8"',
  'application/json;\tversion=1',
  'application/json; charset=utf-8',
  'application/json;',
  'application/json; profile="https://example.com/post"; charset=utf-8',
  'application/json ;charset=utf-8; ',
  'application/json; charset=utf8',
  'application/json; charset="UTF8"',
  'application/json; charset=US-ASCII',
  'application/json; boundary=x',
])('reads a body of the type %j', async (contentType) => {
  expect((await readJsonBody(createRequest(contentType), 10)).value).toEqual({})
})

it.each([
  'text/json',
  'text/plain',
  'application/json x',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/json+x',
  'application/vnd.api+json',
  'application/merge-patch+json',
  'application/json, text/plain',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-7',
  'application/json; charset="utf-16"',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json; charset=utf-8; charset',
  'application/json; charset=utf16',
  'application/json; charset=utf',
  'application/json; charset=utf--8',
  'application/json; charset=ascii-utf-8',
  'application/json; charset=""utf8""',
  'application/json; charset=utf8; charset=us-ascii; charset=utf-32',
  'application/json\u00a0',
  'json',
  '*/*',
  '',
])('refuses a body of the type %j', async (contentType) => {
  await expect(readJsonBody(createRequest(contentType), 10)).rejects.toMatchObject({ status: 415 })
})

it.each(['gzip', 'br', 'deflate', 'x-gzip', 'gzip, identity', 'utf-8'])(
  'refuses a body of the encoding %j',
  async (encoding) => {
    const request = createRequest('application/json', encoding)
    await expect(readJsonBody(request, 10)).rejects.toMatchObject({ status: 415 })
  },
)

// Regression: the time was quadratic in the number of tabs, and 100,000 took half a minute.
it('reads a long run of tabs in a type in linear time', async () => {
  const startedAt = performance.now()
  const request = createRequest(`application/json${'\t'.repeat(100_000)}x`)
  await expect(readJsonBody(request, 10)).rejects.toMatchObject({ status: 415 })
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
