import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, it } from 'vitest'
import { documentsOnDemand } from './on-demand.ts'

const route = {
  method: 'GET',
  path: '/',
  operationId: 'x',
  summary: 'X',
  access: 'public',
  responses: { 204: { description: 'Done' } },
} as const

async function fetchFrom(tags: readonly string[], path: string): Promise<[Response, unknown[]]> {
  const told: unknown[] = []
  const documents = documentsOnDemand({
    api: [],
    service: [{ route: { ...route, tags } }],
    providers: [],
    onError: (error) => told.push(error),
  })
  const server = express().use(documents).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    return [await fetch(`http://127.0.0.1:${port}${path}`), told]
  } finally {
    server.close()
  }
}

it('makes the documents with the first request, and leaves other paths alone', async () => {
  const [found] = await fetchFrom(['service'], '/openapi.json')
  expect(await found.json()).toMatchObject({ openapi: '3.0.3', paths: { '/': {} } })
  expect((await fetchFrom(['service'], '/elsewhere'))[0].status).toBe(404)
})

it('answers 500 in the envelope, and tells why, when they cannot be made', async () => {
  const [response, told] = await fetchFrom(['unheard-of'], '/openapi.json')
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ error: { code: 'INTERNAL_ERROR' } })
  expect(told.map(String)).toEqual([expect.stringContaining('unheard-of')])
})
