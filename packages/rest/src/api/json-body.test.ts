import { expect, it } from 'vitest'
import type { ApiRequest } from './api-request.ts'
import { readJsonBody } from './json-body.ts'

const body = new TextEncoder().encode('{}')
const createRequest = (contentType: string): ApiRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  mountPath: '',
  header: (name) => (name === 'content-type' ? contentType : undefined),
  hasBody: true,
  readBody: (limit, exceeded) => (body.length > limit ? Promise.reject(exceeded) : Promise.resolve(body)),
  streamBody: () => new ReadableStream(),
  clientAddress: undefined,
  requestId: 'request-1',
  signal: undefined,
  raw: undefined,
})

it.each(['application/json', 'Application/JSON ; charset="UTF-8"', 'application/json;\tversion=1'])(
  'reads a body of the type %j',
  async (contentType) => {
    expect((await readJsonBody(createRequest(contentType), 10)).value).toEqual({})
  },
)

it.each(['text/json', 'application/json; charset=latin1', 'application/json x'])(
  'refuses a body of the type %j',
  async (contentType) => {
    await expect(readJsonBody(createRequest(contentType), 10)).rejects.toMatchObject({ status: 415 })
  },
)

// Regression: the time was quadratic in the number of tabs, and 100,000 took half a minute.
it('reads a long run of tabs in a type in linear time', async () => {
  const startedAt = performance.now()
  const request = createRequest(`application/json${'\t'.repeat(100_000)}x`)
  await expect(readJsonBody(request, 10)).rejects.toMatchObject({ status: 415 })
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
