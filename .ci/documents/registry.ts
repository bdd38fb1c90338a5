import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
}

/**
 * Starts a registry with the packages of a built checkout. Requests for other packages are redirected to the real
 * registry.
 */
export async function openRegistry(
  checkout: string,
  tarballs: string,
): Promise<{ readonly url: string; close(): void }> {
  mkdirSync(tarballs)
  const manifests = globSync('packages/*/package.json', { cwd: checkout })
    .map((path) => JSON.parse(readFileSync(join(checkout, path), 'utf8')) as Manifest)
    .filter((manifest) => manifest.private !== true)
  const workspaces = manifests.flatMap(({ name }) => ['--workspace', name])
  execFileSync('npm', ['pack', '--silent', '--pack-destination', tarballs, ...workspaces], { cwd: checkout })
  const real = execFileSync('npm', ['config', 'get', 'registry'], { cwd: checkout, encoding: 'utf8' }).trim()

  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]))
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1)
    if (path.startsWith('-tarballs/')) {
      response.end(readFileSync(join(tarballs, path.slice('-tarballs/'.length).replaceAll('/', ''))))
      return
    }
    const manifest = byName.get(path)
    if (manifest === undefined) {
      response.writeHead(302, { location: new URL((request.url ?? '/').slice(1), real).href }).end()
      return
    }
    const { name, version } = manifest
    const tarball = `${url}-tarballs/${name.replace('@', '').replace('/', '-')}-${version}.tgz`
    const versions = { [version]: { ...manifest, dist: { tarball } } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
