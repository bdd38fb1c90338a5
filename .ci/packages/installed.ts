import { execFileSync } from 'node:child_process'
import { existsSync, globSync, lstatSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publicPackages, root } from './public.ts'

/** Peers, and packages that the READMEs import, in the versions of the repository. */
const peers = [
  '@aws-sdk/client-eventbridge',
  '@aws-sdk/client-s3',
  '@aws-sdk/client-sns',
  '@aws-sdk/client-sqs',
  '@clerk/backend',
  '@fastify/busboy',
  '@hono/node-server',
  '@linear/sdk',
  '@nats-io/jetstream',
  '@nats-io/transport-node',
  '@octokit/webhooks-types',
  '@opentelemetry/api',
  '@platformatic/kafka',
  '@slack/types',
  '@types/express',
  '@types/node',
  '@types/pg',
  'amqplib',
  'better-sqlite3',
  'bullmq',
  'cloudevents',
  'discord-api-types',
  'express',
  'fast-check',
  'fastify',
  'hono',
  'ioredis',
  'kysely',
  'pg',
  'pg-boss',
  'rate-limiter-flexible',
  'stripe',
  'undici',
  'vitest',
  'yaml',
  'zod',
]

/** The compilers for the types, by the name of the installed package. */
export const compilers = { typescript: '6.0.3', 'typescript-5.9': 'npm:typescript@5.9.3' }
/** The native compiler, which has no API. */
const nativeCompiler = { 'typescript-7': 'npm:typescript@7.0.2' }

/** Packs every package into a folder, and returns the dependencies of a package.json there. */
export function packPackages(folder: string): Readonly<Record<string, string>> {
  const packages = publicPackages()
  execFileSync(
    'npm',
    [
      'pack',
      '--silent',
      '--pack-destination',
      folder,
      ...packages.flatMap((one) => ['--workspace', one.folder]),
    ],
    { cwd: root },
  )
  return Object.fromEntries(
    packages.map(({ manifest: { name, version } }) => {
      return [name, `file:./${name.replace('@', '').replace('/', '-')}-${version}.tgz`] as const
    }),
  )
}

/** Packs every package, installs the tarballs in an empty temporary folder, and returns the folder. */
export function installPacked(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-packed-'))
  const manifest = {
    name: 'stranger',
    private: true,
    type: 'module',
    dependencies: {
      ...packPackages(folder),
      ...Object.fromEntries(peers.map((name) => [name, installedVersion(name)])),
      ...compilers,
      ...nativeCompiler,
    },
    // The same pin as in the repository, because the latest version may not install.
    overrides: { rollup: installedVersion('rollup') },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  installFolder(folder)
  return folder
}

/** Installs the dependencies of a folder. */
export function installFolder(folder: string): void {
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder })
  // A symbolic link would import the sources instead of the installed package.
  for (const path of globSync('node_modules/{sallyport,@sallyport/*}', { cwd: folder })) {
    if (lstatSync(join(folder, path)).isSymbolicLink()) throw new Error(`${path} links out of the folder`)
  }
}

/** The folders that have the versions of the repository. */
const folders = ['.', 'packages/test-support/vendors'].map((folder) => join(root, folder, 'node_modules'))

export function installedVersion(name: string): string {
  const path = folders.map((folder) => join(folder, name, 'package.json')).find((file) => existsSync(file))
  if (path === undefined)
    throw new Error(`${name} is not installed: npm ci --prefix packages/test-support/vendors`)
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}
