import { loadEntries } from '../../packages/providers/scripts/generate.ts'
import { formatTable } from './table.ts'

/** Renders the reference of providers from the folders of the package. */
export async function providersPage(): Promise<string> {
  const entries = await loadEntries()
  const overview = entries.map(({ provider, service }) => [
    `[\`${provider.name}\`](#${provider.name})`,
    service,
    codes(Object.keys(provider.events)),
  ])
  const sections = entries.map(({ provider, signed, secret }) => {
    const { name, signature, handshake, queueable = [], bodyLimit } = provider
    const facts = [
      ['path', `\`/webhooks/${name}\``],
      ['signature', signed],
      ['headers', codes(signature.headers)],
      ['secret', secret],
      ['variable', `\`${secretVariable(name)}\``],
      ['events', codes(Object.keys(provider.events).map((kind) => `${name}/${kind}`))],
      ...(handshake
        ? [['handshake', `answers the challenge, sent with ${handshake.methods.join(', ')}`]]
        : []),
      ...(queueable.length > 0 ? [['queueable', codes(queueable)]] : []),
      ...(bodyLimit === undefined ? [] : [['largest body', `${bodyLimit / 1024 / 1024} MiB`]]),
      ['import', `\`@sallyport/providers/${name}\``],
    ]
    return `## ${name}\n\n${formatTable(['', ''], facts)}`
  })
  return `# Providers

\`@sallyport/providers\` supports these services. A neutral name (\`codehost\`) and the name of its service (\`github\`) have the
same events; the signature header differs for most. The [README of the package](../../packages/providers/README.md) describes
the setup at each service. To support another service, [add a provider](../guides/add-a-provider.md).

${formatTable(['provider', 'service', 'events'], overview)}
${sections.join('\n')}`
}

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** Returns the environment variable that holds the secret of a provider. */
const secretVariable = (name: string): string => `WEBHOOK_SECRET_${name.toUpperCase().replaceAll('-', '_')}`
