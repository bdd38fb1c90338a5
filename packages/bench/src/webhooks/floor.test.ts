import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunningSide } from '../frame/http.ts'
import { numberedDeliveries } from '../frame/numbered.ts'
import { createRunLoad } from './delivery.ts'
import { startPeer } from './stage.ts'

const request = createRunLoad(1024)
let directory: string
let floor: RunningSide

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  floor = await startPeer('floor', { DATA_DIR: directory })
})

afterAll(async () => {
  await floor.stop()
  await rm(directory, { recursive: true })
})

it('appends each of the concurrent bodies to the file before it answers', async () => {
  const next = numberedDeliveries(request)
  const deliveries = Array.from({ length: 50 }, next)
  const responses = await Promise.all(
    deliveries.map(({ path, headers, body }) => fetch(floor.url + path, { method: 'POST', headers, body })),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  const kept = await readFile(join(directory, 'bodies'))
  expect(kept.length).toBe(50 * 1024)
  for (const { body } of deliveries) expect(kept.includes(body)).toBe(true)
})

it('rejects a delivery with a wrong signature', async () => {
  const { path, headers } = numberedDeliveries(request)()
  const response = await fetch(floor.url + path, { method: 'POST', headers, body: '{}' })
  expect(response.status).toBe(401)
})
