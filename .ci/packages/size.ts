/**
 * What the built packages weigh, minified and compressed, against the budgets of `size-budgets.json`. Part of
 * `npm run check:packages`; with `--write`, the budgets become what is there, with a little room.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type BuildOptions } from 'esbuild'
import { entriesOf, publicPackages, root } from './public.ts'

/** A worker that takes the deliveries of one service into its queue: all of it is sent to where it runs, but zod. */
const workerWith = (createGateway: string) => `
  import { ${createGateway}, defineProvider, hmac, staticSecrets } from '@sallyport/webhooks'
  import { createFetchHandler } from '@sallyport/webhooks/fetch'
  import { z } from 'zod'

  const provider = defineProvider({
    name: 'doorbell',
    signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
    events: { 'bell.rung': z.object({ door: z.string() }) },
    normalize: ({ payload }) => ({ kind: 'bell.rung', key: [payload.id], subject: payload.id, data: payload }),
  })
  const publisher = {
    async publish(events) {
      await QUEUE.sendBatch(events.map((body) => ({ body })))
      return events.map(() => ({ ok: true }))
    },
  }
  const secrets = staticSecrets({ doorbell: ['secret'] })
  export default { fetch: createFetchHandler(${createGateway}({ providers: [provider], secrets, publisher })) }`

async function sizeOf(contents: string, options: BuildOptions): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, 'packages/bench') },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
    ...options,
  })
  return gzipSync(outputFiles?.[0]?.contents ?? '', { level: 9 }).byteLength
}

const sizes = new Map<string, number>()
const toWorkers: BuildOptions = {
  platform: 'browser',
  conditions: ['workerd', 'worker'],
  external: ['zod', 'node:*'],
}
for (const createGateway of ['createServerlessGateway', 'createGateway']) {
  sizes.set(
    `a worker with ${createGateway} and one provider`,
    await sizeOf(workerWith(createGateway), toWorkers),
  )
}
// Of an entry, what is ours: its libraries have sizes of their own.
for (const one of publicPackages()) {
  const [main] = entriesOf(one)
  if (main === undefined) continue
  const entry = join(root, one.folder, main.files['default'] ?? '')
  const ours: BuildOptions = { platform: 'node', packages: 'external' }
  sizes.set(main.specifier, await sizeOf(`export * from ${JSON.stringify(entry)}`, ours))
}

const path = join(import.meta.dirname, 'size-budgets.json')
if (process.argv.includes('--write')) {
  // Half a kilobyte is what a mended fault may weigh without anybody's being asked.
  const budgets = [...sizes].map(([name, size]) => [name, Math.ceil((size + 256) / 512) * 512])
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(budgets), null, 2)}\n`)
}
const budgets = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, number>>
for (const [name, size] of sizes) {
  const budget = budgets[name] ?? 0
  const verdict = size > budget ? '  TOO LARGE' : ''
  process.stdout.write(
    `${String(size).padStart(7)} of ${String(budget).padStart(6)} bytes  ${name}${verdict}\n`,
  )
  if (size > budget) process.exitCode = 1
}
if (process.exitCode === 1) {
  process.stderr.write('Make it smaller or, if it is worth it, run `node .ci/packages/size.ts --write`\n')
}
