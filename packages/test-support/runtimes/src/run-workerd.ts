import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { SuiteInput } from './suite/process.ts'

/** Runs the suite of a worker in workerd, bundled with the conditions of wrangler. */
export async function runWorkerd(
  worker: string,
  compatibilityFlags: readonly string[],
  { specimens }: SuiteInput,
): Promise<string> {
  // Not every checkout has the package.
  const { Miniflare } = await import('miniflare')
  const runtime = new Miniflare({
    modules: true,
    script: await bundle(worker, compatibilityFlags.includes('nodejs_compat') ? ['node:*'] : []),
    compatibilityDate: '2026-07-01',
    compatibilityFlags: [...compatibilityFlags],
    // Without this, Miniflare downloads connection metadata.
    cf: false,
  })
  try {
    const request = { method: 'POST', body: JSON.stringify(specimens) }
    return await (await runtime.dispatchFetch('http://suite.test/', request)).text()
  } finally {
    await runtime.dispose()
  }
}

async function bundle(worker: string, external: readonly string[]): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL(`suite/${worker}.ts`, import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2024',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: [...external],
    // An unused import of a package is not a problem.
    logOverride: { 'ignored-bare-import': 'silent' },
  })
  const sources = Object.keys(metafile.inputs).filter((path) =>
    /packages\/(?!test-support)[^/]+\/src\//.test(path),
  )
  if (sources.length > 0) throw new Error(`Not built: ${sources.join(', ')}`)
  return outputFiles[0]?.text ?? ''
}
