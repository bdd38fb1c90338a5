import { builtInProviders } from '@sallyport/providers'
import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secretName } from '../src/secret.ts'

/** The secrets of the server, and the secret with which the CLI signs. */
interface SampleSecrets {
  readonly server: readonly string[]
  readonly cli: string
}

const chain = JSON.parse(
  readFileSync(new URL('../../providers/test/app-store-chain.json', import.meta.url), 'utf8'),
) as { readonly root: string; readonly key: object }

const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { format: 'pem', type: 'spki' },
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
})
const toDer = ({ publicKey, privateKey }: KeyPairKeyObjectResult) => ({
  publicKey: publicKey.export({ format: 'der', type: 'spki' }),
  privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
})
const ec = toDer(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
const ed25519 = toDer(generateKeyPairSync('ed25519'))

const rsaPair = { server: [rsa.publicKey], cli: rsa.privateKey }
const ed25519Pair = {
  server: [ed25519.publicKey.subarray(-32).toString('hex')],
  cli: ed25519.privateKey.subarray(-32).toString('hex'),
}
const pairs: Readonly<Record<string, SampleSecrets>> = {
  'app-store': { server: ['com.example.app', chain.root], cli: JSON.stringify(chain.key) },
  discord: ed25519Pair,
  'discord-interactions': ed25519Pair,
  fusionauth: rsaPair,
  gong: rsaPair,
  sendgrid: { server: [ec.publicKey.toString('base64')], cli: ec.privateKey.toString('base64') },
  telnyx: {
    server: [ed25519.publicKey.subarray(-32).toString('base64')],
    cli: ed25519.privateKey.subarray(-32).toString('base64'),
  },
  'wechat-pay': {
    server: [`${'k'.repeat(32)}:${rsa.publicKey}`],
    cli: `${'k'.repeat(32)}:${rsa.privateKey}`,
  },
  wise: rsaPair,
  wix: rsaPair,
}

/** Services whose keys the server requests from the service, so that the CLI cannot sign for them. */
export const unsendable: ReadonlySet<string> = new Set([
  'circle',
  'ebay',
  'fal',
  'fireblocks',
  'google-pubsub',
  'kinde',
  'paypal',
  'plaid',
  'ses',
  'shipstation',
  'sns',
  'truelayer',
])

const created = new Map<string, SampleSecrets>()

/** The secrets for the samples of a provider: a pair of keys, or a secret in the form of the service. */
export function getSampleSecrets(name: string): SampleSecrets {
  const known = pairs[name] ?? created.get(name)
  if (known) return known
  const provider = builtInProviders.find((one) => one.name === name)
  const secret = provider?.signature.createSecret?.() ?? 'a-secret-that-is-never-shown'
  const secrets = { server: [secret], cli: secret }
  created.set(name, secrets)
  return secrets
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
