import { loadEntries } from '../../packages/providers/scripts/generate.ts'
import { tableOf } from './table.ts'

/** The reference of providers, from the folders of the package. */
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
      ['address', `\`/webhooks/${name}\``],
      ['signed by', signed],
      ['headers', codes(signature.headers)],
      ['secret', secret],
      ['variable', `\`${variableOf(name)}\``],
      ['events', codes(Object.keys(provider.events).map((kind) => `${name}/${kind}`))],
      ...(handshake
        ? [['handshake', `answers the challenge, which comes by ${handshake.methods.join(', ')}`]]
        : []),
      ...(queueable.length > 0 ? [['through the queue', codes(queueable)]] : []),
      ...(bodyLimit === undefined ? [] : [['largest body', `${bodyLimit / 1024 / 1024} MiB`]]),
      ['import', `\`@sallyport/providers/${name}\``],
    ]
    return `## ${name}\n\n${tableOf(['', ''], facts)}`
  })
  return `# Providers

The services whose webhooks \`@sallyport/providers\` knows. A neutral name (\`codehost\`) and the service behind it
(\`github\`) differ in their name and, mostly, in their header. How each is set up at the service is in the
[package's README](../../packages/providers/README.md); one that is missing is [a folder](../guides/add-a-provider.md).

${tableOf(['provider', 'service', 'kinds of event'], overview)}
${sections.join('\n')}`
}

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** Where the reference server and the command line find the secret. */
const variableOf = (name: string): string => `WEBHOOK_SECRET_${name.toUpperCase().replaceAll('-', '_')}`
