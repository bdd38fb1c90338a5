import { builtInProviders } from '@sallyport/providers'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getVectorSecrets } from '../../providers/scripts/catalogue/vector-secrets.ts'
import { secretName } from '../src/secret.ts'

/** The secrets of the server, and the secret with which the CLI signs. */
interface SampleSecrets {
  readonly server: readonly string[]
  readonly cli: string
}

/** Services whose keys the server requests from the service, so that the CLI cannot sign for them. */
export const unsendable: ReadonlySet<string> = new Set(
  builtInProviders
    .filter((provider) => getVectorSecrets(provider).documents !== undefined)
    .map(({ name }) => name),
)

/** The secrets for the samples of a provider: a pair of keys, or a secret in the form of the service. */
export function getSampleSecrets(name: string): SampleSecrets {
  const provider = builtInProviders.find((one) => one.name === name)
  if (provider === undefined) throw new TypeError(`There is no provider ${name}`)
  const { secrets, signing } = getVectorSecrets(provider)
  return { server: secrets, cli: signing }
}

/** Writes the secrets of one side to a folder for `SECRETS_DIR`. */
export async function writeSampleSecrets(names: readonly string[], side: 'server' | 'cli') {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-sample-secrets-'))
  await Promise.all(
    names.map((name) =>
      writeFile(join(folder, secretName(name)), [getSampleSecrets(name)[side]].flat().join('\n')),
    ),
  )
  return { folder, remove: () => rm(folder, { recursive: true }) }
}
