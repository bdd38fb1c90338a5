import { builtInSamples } from '@sallyport/providers/samples'
import { signDelivery, type AnyProvider } from '@sallyport/webhooks'
import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { getConfigurationPath, readConfiguration, writeConfiguration } from './configuration.ts'
import type { Io } from './io.ts'

/** The secret of a provider on this machine. */
const localSecret = z.object({
  /** The secret or the private key that signs. */
  sign: z.string(),
  /** The secret or the public key that the local server verifies with. */
  verify: z.string(),
})
export type LocalSecret = z.infer<typeof localSecret>

const stored = z.object({ secrets: z.record(z.string(), localSecret) })

/** Returns the path of the file with the secrets. */
export const getLocalSecretsPath = (env: Io['env']): string => getConfigurationPath('forward.json', env)

/**
 * Reads the secret of a provider on this machine.
 *
 * @returns undefined if none was created
 * @throws CommandError if the file cannot be read
 */
export async function readLocalSecret(name: string, env: Io['env']): Promise<LocalSecret | undefined> {
  return selectSecret(await readSecrets(env), name)
}

type Secrets = z.infer<typeof stored>['secrets']

const readSecrets = async (env: Io['env']): Promise<Secrets> =>
  (await readConfiguration(getLocalSecretsPath(env), stored))?.secrets ?? {}

const selectSecret = (secrets: Secrets, name: string): LocalSecret | undefined =>
  Object.hasOwn(secrets, name) ? secrets[name] : undefined

/**
 * Returns the secret of a provider from the user's configuration, or creates and stores a secret in the form of the service:
 * a key pair for a service that signs with a private key.
 *
 * @returns undefined if only the service can sign
 * @throws CommandError if the file cannot be read or written
 */
export async function getLocalSecret(
  provider: AnyProvider,
  { env, now }: Pick<Io, 'env' | 'now'>,
): Promise<LocalSecret | undefined> {
  const secrets = await readSecrets(env)
  const known = selectSecret(secrets, provider.name)
  if (known) return known
  const created = await createLocalSecret(provider, now())
  if (created)
    await writeConfiguration(getLocalSecretsPath(env), { secrets: { ...secrets, [provider.name]: created } })
  return created
}

async function createLocalSecret(provider: AnyProvider, now: number): Promise<LocalSecret | undefined> {
  const samples = await builtInSamples.get(provider.name)?.()
  const sample = samples?.sample(samples.kinds[0] ?? '', { fresh: true, now: () => now })
  const text = sample && (typeof sample.body === 'string' ? sample.body : JSON.stringify(sample.body))
  const probe = {
    method: 'POST',
    headers: new Headers(sample?.headers ?? { 'content-type': 'application/json' }),
    body: new TextEncoder().encode(text ?? '{}'),
    url: 'http://localhost/',
  }
  for (const candidate of listCandidates(provider))
    if (await canSign(provider, probe, candidate, now)) return candidate
  return undefined
}

/** Lists secrets in the forms of services, the form of this service first. */
function* listCandidates({ signature }: AnyProvider): Generator<LocalSecret> {
  const shared = signature.createSecret?.()
  if (shared !== undefined) yield { sign: shared, verify: shared }
  const ed25519 = toDer(generateKeyPairSync('ed25519'))
  for (const encoding of ['hex', 'base64'] as const)
    yield {
      sign: ed25519.privateKey.subarray(-32).toString(encoding),
      verify: ed25519.publicKey.subarray(-32).toString(encoding),
    }
  const pairs = [
    () => generateKeyPairSync('ed25519'),
    () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ]
  for (const create of pairs) {
    const pair = create()
    const der = toDer(pair)
    yield { sign: der.privateKey.toString('base64'), verify: der.publicKey.toString('base64') }
    yield {
      sign: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      verify: pair.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    }
  }
  const text = randomBytes(32).toString('hex')
  yield { sign: text, verify: text }
}

const toDer = ({
  publicKey,
  privateKey,
}: {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}) => ({
  publicKey: publicKey.export({ format: 'der', type: 'spki' }),
  privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
})

async function canSign(
  { signature }: AnyProvider,
  probe: Parameters<typeof signDelivery>[1],
  { sign, verify }: LocalSecret,
  now: number,
): Promise<boolean> {
  try {
    const signed = await signDelivery(signature, probe, sign, now)
    const headers = new Headers()
    for (const [name, value] of probe.headers) headers.set(name, value)
    for (const [name, value] of Object.entries(signed.headers)) headers.set(name, value)
    return (await signature.verify({ ...probe, ...signed, headers }, [verify], now)).verified
  } catch {
    return false
  }
}
