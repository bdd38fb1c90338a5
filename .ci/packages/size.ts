/**
 * Compares the minified and compressed size of the built packages with `size-budgets.json`. Part of
 * `npm run check:packages`. `--write` sets the budgets to the current sizes with a small margin.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type BuildOptions } from 'esbuild'
import { listEntries, publicPackages, root } from './public.ts'

/** Source of a worker that sends the deliveries of one service to a queue. The size excludes zod. */
const createWorkerSource = (createGateway: string) => `
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

/** Source of a worker with built-in providers. The size includes all libraries. */
const createBuiltInWorkerSource = (names: readonly string[]) => `
  ${names.map((name) => `import { ${name} } from '@sallyport/providers/${name}'`).join('\n')}
  import { createServerlessGateway, staticSecrets } from '@sallyport/webhooks'
  import { createFetchHandler } from '@sallyport/webhooks/fetch'

  const publisher = {
    async publish(events) {
      await QUEUE.sendBatch(events.map((body) => ({ body })))
      return events.map(() => ({ ok: true }))
    },
  }
  const secrets = staticSecrets({ ${names.map((name) => `${name}: ['secret']`).join(', ')} })
  const gateway = createServerlessGateway({ providers: [${names.join(', ')}], secrets, publisher })
  export default { fetch: createFetchHandler(gateway) }`

async function measureSize(contents: string, options: BuildOptions): Promise<number> {
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
const workerOptions: BuildOptions = {
  platform: 'browser',
  conditions: ['workerd', 'worker'],
  external: ['zod', 'node:*'],
}
for (const createGateway of ['createServerlessGateway', 'createGateway']) {
  sizes.set(
    `a worker with ${createGateway} and one provider`,
    await measureSize(createWorkerSource(createGateway), workerOptions),
  )
}
// A schema library in a bundle of signature-only services exceeds the budget.
for (const names of [['github', 'stripe'], ['codehost']]) {
  sizes.set(
    `a worker with ${names.join(' and ')}, with its libraries`,
    await measureSize(createBuiltInWorkerSource(names), { ...workerOptions, external: ['node:*'] }),
  )
}
sizes.set(
  'a client of an API',
  await measureSize("export { createClient } from '@sallyport/rest/client'", workerOptions),
)
// One service beside the gateway.
const folder = join(root, 'packages/providers/dist/services')
const serviceSizes: number[] = []
for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
  const path = join(folder, name)
  const exported = Object.entries((await import(path)) as Readonly<Record<string, unknown>>)
  const [provider] = exported.find(([, value]) => 'signature' in Object(value)) ?? []
  if (provider === undefined) continue
  const options: BuildOptions = { ...workerOptions, external: ['@sallyport/*', 'node:*'] }
  serviceSizes.push(await measureSize(`export { ${provider} } from ${JSON.stringify(path)}`, options))
}
sizes.set('the largest service of @sallyport/providers', Math.max(...serviceSizes))
// The size of an entry excludes libraries.
for (const one of publicPackages()) {
  const [main] = listEntries(one)
  if (main === undefined) continue
  const entry = join(root, one.folder, main.files['default'] ?? '')
  const entryOptions: BuildOptions = { platform: 'node', packages: 'external' }
  sizes.set(main.specifier, await measureSize(`export * from ${JSON.stringify(entry)}`, entryOptions))
}

const path = join(import.meta.dirname, 'size-budgets.json')
if (process.argv.includes('--write')) {
  // The margin allows a small fix without a new budget.
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
  process.stderr.write('Reduce the size, or raise the budgets with `node .ci/packages/size.ts --write`\n')
}
