import { build, type BuildOptions, type Plugin } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** A bundle for the deployment, and the columns of its size. */
export interface Bundle {
  readonly code: Uint8Array
  readonly sizes: { readonly bytes: number; readonly 'gzip bytes': number }
}

/** Imports a module of Node.js that a CommonJS library requires, as wrangler does. */
const requiredModules: Plugin = {
  name: 'required-modules',
  setup(building) {
    building.onResolve({ filter: /^crypto$/ }, ({ path }) => ({ path, namespace: 'required' }))
    building.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `import library from 'node:${path}'; module.exports = library`,
    }))
  },
}

const targets = {
  worker: {
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    conditions: ['@sallyport/source', 'workerd', 'worker', 'browser'],
    external: ['node:*'],
    plugins: [requiredModules],
  },
  lambda: { format: 'cjs', platform: 'node', target: 'node24', conditions: ['@sallyport/source'] },
} satisfies Record<string, BuildOptions>

/** Bundles and minifies a module of this folder with the options of wrangler, or of the AWS CDK. */
export async function bundle(name: string, target: keyof typeof targets): Promise<Bundle> {
  const { outputFiles } = await build({
    ...targets[target],
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'error',
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array(0)
  return { code, sizes: { bytes: code.length, 'gzip bytes': gzipSync(code, { level: 9 }).length } }
}
