import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createApi } from '@sallyport/rest'
import { createNodeListener } from '@sallyport/rest/node'
import { expect, it } from 'vitest'
import type { Caller } from '@sallyport/sql/accounts'
import { documentRoutes } from './documents.ts'

const route = {
  method: 'GET',
  path: '/',
  operationId: 'x',
  summary: 'X',
  access: 'public',
  responses: { 204: { description: 'Done' } },
} as const

/** Requests paths in sequence and calls `change` after each. */
async function fetchFrom(
  tags: readonly string[],
  paths: readonly string[],
  change?: () => void,
): Promise<[Response[], unknown[]]> {
  const reported: unknown[] = []
  const api = createApi<Caller>({
    routes: documentRoutes({
      api: [],
      service: [{ route: { ...route, tags } }],
      providers: [],
      bodyLimit: 1,
    }),
    onError: (error) => reported.push(error),
  })
  const server = createServer(createNodeListener(api)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const responses: Response[] = []
    for (const path of paths) {
      responses.push(await fetch(`http://127.0.0.1:${port}${path}`))
      change?.()
    }
    return [responses, reported]
  } finally {
    server.close()
  }
}

it('creates the documents with the first request and answers 404 to other paths', async () => {
  const [[found, other]] = await fetchFrom(['service'], ['/openapi.json', '/docs/elsewhere'])
  expect(await found?.json()).toMatchObject({ openapi: '3.0.3', paths: { '/': {} } })
  expect(other?.status).toBe(404)
})

it('answers 500, reports the error and retries with the next request', async () => {
  // Regression: the documents stayed unavailable until a restart.
  const tags = ['unknown-tag']
  const [[failed, mended], reported] = await fetchFrom(tags, ['/openapi.json', '/openapi.json'], () => {
    tags[0] = 'service'
  })
  expect(failed?.status).toBe(500)
  expect(await failed?.json()).toMatchObject({ error: { code: 'INTERNAL_ERROR' } })
  expect(reported.map(String)).toEqual([expect.stringContaining('unknown-tag')])
  expect(mended?.status).toBe(200)
})
