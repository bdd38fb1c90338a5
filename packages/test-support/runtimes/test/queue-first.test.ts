import { createGithubDelivery, githubSecret } from '@sallyport/test-support/hosts'
import { Miniflare } from 'miniflare'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from './bundle.ts'

describe('queue-first', () => {
  let runtime: Miniflare
  let base = ''
  let output = ''
  beforeAll(async () => {
    runtime = new Miniflare({
      modules: true,
      script: await bundle(new URL('../../../../examples/workers/src/queue-first.ts', import.meta.url)),
      compatibilityDate: '2026-07-01',
      cf: false,
      bindings: { WEBHOOK_SECRET_GITHUB: githubSecret },
      queueProducers: { REQUESTS: 'webhook-requests' },
      queueConsumers: { 'webhook-requests': { maxBatchTimeout: 0.1, maxRetries: 1 } },
      handleRuntimeStdio(...streams: Readable[]) {
        for (const stream of streams) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
      },
    })
    base = (await runtime.ready).origin
  })
  afterAll(() => runtime.dispose())

  /** Sends a delivery and returns the status of the response. */
  async function post(secret = githubSecret, extra: object = {}): Promise<number> {
    const { headers, body } = await createGithubDelivery(secret, extra)
    const init = { method: 'POST', headers: headers as [string, string][], body }
    const { status } = await fetch(`${base}/webhooks/github`, init)
    return status
  }

  const countEvents = () => output.split('github/workflow_run.completed').length - 1

  it('stores a request and handles its event from the queue', async () => {
    expect(await post()).toBe(202)
    await expect.poll(countEvents).toBe(1)
  })

  it('handles a body that is too large for the queue before it answers', async () => {
    expect(await post(githubSecret, { padding: 'x'.repeat(200_000) })).toBe(200)
    await expect.poll(countEvents).toBe(2)
  })

  it('handles no event of a request with an invalid signature', async () => {
    expect(await post('another secret')).toBe(202)
    expect(await post()).toBe(202)
    await expect.poll(countEvents).toBe(3)
  })
})
