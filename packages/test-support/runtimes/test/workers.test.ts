import { githubSecret, createSend, testExample } from '@sallyport/test-support/hosts'
import { Miniflare } from 'miniflare'
import type { Readable } from 'node:stream'
import { bundle } from './bundle.ts'

testExample(
  'Workers',
  async () => {
    let output = ''
    const runtime = new Miniflare({
      modules: true,
      script: await bundle(new URL('../../../../examples/workers/src/worker.ts', import.meta.url)),
      compatibilityDate: '2026-07-01',
      // Without this, Miniflare downloads connection metadata.
      cf: false,
      bindings: { WEBHOOK_SECRET_GITHUB: githubSecret },
      queueProducers: { EVENTS: 'webhook-events' },
      queueConsumers: { 'webhook-events': { maxBatchTimeout: 0.1 } },
      handleRuntimeStdio(...streams: Readable[]) {
        for (const stream of streams) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
      },
    })
    const { port } = await runtime.ready
    return { send: createSend(Number(port)), output: () => output, close: () => runtime.dispose() }
  },
  { deduplicates: false },
)
