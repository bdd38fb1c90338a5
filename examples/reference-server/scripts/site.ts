/**
 * Writes the documents of the API into the documentation site: `npm run site -w examples/reference-server`, after
 * `vitepress build docs`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtInProviders } from '@sallyport/providers'
import { readConfig } from '../src/config/config.ts'
import { createLog } from '../src/logging/log.ts'
import { startServer } from '../src/server.ts'

/**
 * Writes the page of Redoc as `index.html` with its assets, `openapi.json` and `asyncapi.json` into a folder. The page
 * has relative links to its files and no requests to other servers.
 */
export async function writeSite(folder: string): Promise<readonly string[]> {
  const data = await mkdtemp(join(tmpdir(), 'sallyport-'))
  const settings = { DATA_DIR: data, PORT: '0', HOST: '127.0.0.1', WEBHOOK_SECRET_CODEHOST: 'unused' }
  const result = readConfig(settings, builtInProviders)
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  const server = await startServer(result.config, createLog('silent', { write: () => undefined }))

  async function fetchText(path: string): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/${path}`)
    if (!response.ok) throw new Error(`GET /api/${path}: ${response.status}`)
    return response.text()
  }
  try {
    const page = await fetchText('redoc')
    const assets = [...page.matchAll(/(?:src|href)="(redoc\/[^"]+)"/g)].map(([, path = '']) => path)
    const paths = ['openapi.json', 'asyncapi.json', ...assets]
    const files: readonly (readonly [string, string])[] = [
      ['index.html', page],
      ...(await Promise.all(paths.map(async (path) => [path, await fetchText(path)] as const))),
    ]
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    return files.map(([path]) => path)
  } finally {
    await server.stop()
    await rm(data, { recursive: true })
  }
}

if (import.meta.main) {
  const folder = fileURLToPath(new URL('../../../docs/.vitepress/dist/openapi', import.meta.url))
  for (const path of await writeSite(folder)) process.stdout.write(`openapi/${path}\n`)
}
