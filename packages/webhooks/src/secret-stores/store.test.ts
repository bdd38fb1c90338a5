import { type SecretSourceUnderTest, testSecretSource } from '@sallyport/testing'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandSecrets } from './command.ts'
import { environmentSecrets, toSecretSource } from './store.ts'

const toName = (provider: string) => `SECRET_${provider.toUpperCase().replaceAll('-', '_')}`

type Secrets = Readonly<Record<string, readonly string[]>>

describe('the environment', () => {
  testSecretSource(
    { describe, expect, it },
    {
      open(secrets) {
        const variables = Object.entries(secrets).map(([name, values]) => [toName(name), values.join(', ')])
        const store = environmentSecrets(Object.fromEntries(variables) as Record<string, string>)
        return { source: toSecretSource(store, toName) }
      },
    },
  )
})

describe('a folder', () => {
  testSecretSource(
    { describe, expect, it },
    {
      open: (secrets) =>
        openFolder(secrets, (folder) => toSecretSource(environmentSecrets({}, { folder }), toName)),
    },
  )
})

describe('a command', () => {
  testSecretSource(
    { describe, expect, it },
    {
      async open(secrets) {
        const opened = await openFolder(secrets, (folder) => {
          const script = `test -d ${folder} || exit 1; test ! -e ${folder}/"$1" || cat ${folder}/"$1"`
          const store = commandSecrets({
            command: `sh -c '${script}' store`,
            leaseMs: 60_000,
            environment: { PATH: process.env['PATH'] },
          })
          return toSecretSource(store, toName)
        })
        return {
          ...opened,
          reach: (reachable) =>
            rename(
              reachable ? `${opened.folder}-away` : opened.folder,
              reachable ? opened.folder : `${opened.folder}-away`,
            ),
        }
      },
    },
  )
})

/** A store with one file per secret. */
async function openFolder(
  secrets: Secrets,
  sourceOf: (folder: string) => SecretSourceUnderTest['source'],
): Promise<SecretSourceUnderTest & { readonly folder: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-secrets-'))
  const folder = join(directory, 'secrets')
  await mkdir(folder)
  const getFile = (name: string) => join(folder, toName(name))
  const set = async (name: string, values: readonly string[]) => {
    if (values.length === 0) return rm(getFile(name))
    await writeFile(getFile(name), `${values.join('\n')}\n`)
    await chmod(getFile(name), 0o600)
  }
  for (const [name, values] of Object.entries(secrets)) await set(name, values)
  return {
    folder,
    source: sourceOf(folder),
    set,
    close: () => rm(directory, { recursive: true }),
  }
}
