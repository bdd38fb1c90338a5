import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

/** Bundles a worker with the conditions of wrangler, so that the bundle has no Node.js code. */
export async function bundle(file: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(file)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    platform: 'browser',
    conditions: ['@sallyport/source', 'workerd', 'worker'],
  })
  return outputFiles[0]!.text
}
