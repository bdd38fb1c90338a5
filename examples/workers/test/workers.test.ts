import { githubSecret, createSend, testExample } from '@sallyport/test-hosts'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** Bundles the worker with the conditions of wrangler, so that the bundle has no Node.js code. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/worker.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    platform: 'browser',
    conditions: ['@sallyport/source', 'workerd', 'worker'],
  })
  return outputFiles[0]!.text
}

testExample(
  'Workers',
  async () => {
    let output = ''
    const runtime = new Miniflare({
      modules: true,
      script: await bundle(),
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
