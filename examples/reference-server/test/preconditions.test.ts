import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { validRequest } from './arbitrary-requests.ts'
import { valuesBy } from './arbitrary-values.ts'
import { fetchSchemas, operationsUnder } from './openapi.ts'
import { createSpecimens } from './specimens.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api[Symbol.asyncDispose]())

// If-None-Match was honoured by changes, and documented of reading alone.
it('every change checks the documented preconditions', async () => {
  const document = await fetchSchemas(api.base)
  const operations = operationsUnder(document, '/api/v1')
  const delivery = await api.delivery()
  const { owner, fill } = await createSpecimens(api, operations, delivery)
  const values = valuesBy(document, () => owner.id)
  const isRead = (path: string) => operations.some((one) => one.method === 'GET' && one.path === path)
  // A part that only its own path changes, such as a secret, has no version.
  const changing = operations.filter(
    ({ method, path, parameters = [] }) =>
      ['PUT', 'PATCH', 'DELETE'].includes(method) &&
      // The last use of a key and the progress of a job change all the time.
      !/^\/(?:keys|replay-jobs)\//.test(path) &&
      (isRead(path) || parameters.some(({ name }) => name === 'If-Match')),
  )
  expect(changing.length).toBeGreaterThan(0)
  for (const operation of changing) {
    const { method, path, operationId, parameters = [] } = operation
    const documented = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
    expect(documented, operationId).toEqual(['If-Match', 'If-None-Match'])
    const [request] = fc.sample(validRequest(document, operation, values), { numRuns: 1, seed: 1 })
    const isForAdmins = path === '/users/{id}' || /^\/(?:deliveries|endpoints|destinations)/.test(path)
    const { token } = isForAdmins ? api.admin : owner
    // Longer than the 255 characters that were once documented as the most.
    const stale = Array.from({ length: 50 }, (_, index) => `"no-${index}"`).join(', ')
    for (const headers of [{ 'if-match': stale }, { 'if-none-match': '*' }]) {
      const answer = await api.call(method, fill(path), {
        token,
        headers: { ...(request?.body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(request?.body !== undefined && { body: request.body }),
      })
      expect([operationId, answer.status, answer.error.code]).toEqual([
        operationId,
        412,
        'PRECONDITION_FAILED',
      ])
    }
  }
})
