import { identifier } from './names.ts'
import type { ServiceAnswers } from './questions.ts'
import { quote, splitContent } from './signature-template.ts'

/** The test of a service, which signs with other code than the declaration. */
export function writeTest(name: string, answers: ServiceAnswers): string {
  const id = identifier(name)
  const { imports, sign, options = '' } = writeSigner(answers)
  return `import { testService } from '@sallyport/webhooks/testing'
${imports}import { runner } from '../../test/runner.ts'
import { ${id} } from './${name}.ts'
import samples from './${name}.samples.json' with { type: 'json' }

testService(runner, {
  provider: ${id},
  samples,${options}
  sign: ${sign},
})
`
}

interface Signer {
  readonly imports: string
  readonly sign: string
  readonly options?: string
}

function writeSigner(answers: ServiceAnswers): Signer {
  const { scheme, header, value } = answers
  const name = quote(header.toLowerCase())
  switch (scheme) {
    case 'standard-webhooks':
      return {
        imports: `import { Webhook } from 'standardwebhooks'\n`,
        sign: `({ text, secret, now }) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(now / 1000),
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(now), text),
  })`,
      }
    case 'token':
      return {
        imports: '',
        sign: `({ secret }) => ({\n    ${name}: ${fill(value, { signature: 'secret' })},\n  })`,
      }
    case 'basic':
      return {
        imports: '',
        options: `\n  secret: 'user:password',`,
        sign: '({ secret }) => ({\n    authorization: `Basic ${btoa(secret)}`,\n  })',
      }
    default:
      return { imports: `import { createHmac } from 'node:crypto'\n`, sign: writeHmac(answers) }
  }
}

function writeHmac(answers: ServiceAnswers): string {
  const { header, value, algorithm, encoding, timeHeader, timeUnit } = answers
  const isTimed = timeHeader !== '' || value.includes('{timestamp}')
  const parts = splitContent(answers, isTimed)
  const isPlain = parts.join('') === '{body}'
  const content = isPlain
    ? 'body'
    : fill(parts.join(''), { timestamp: 'time', body: 'text', method: `'POST'` })
  const digest = encoding === 'hex-upper' ? `hash.digest('hex').toUpperCase()` : `hash.digest('${encoding}')`
  const times: Readonly<Record<string, string>> = {
    s: 'String(now / 1000)',
    ms: 'String(now)',
    rfc3339: 'new Date(now).toISOString()',
  }
  const names = ['secret', ...(isPlain ? ['body'] : ['text']), ...(isTimed ? ['now'] : [])]
  const given = [...names, ...(parts.includes('{url}') ? ['url'] : [])].toSorted()
  const signed = fill(value, { signature: digest, timestamp: 'time' })
  const time = timeHeader === '' ? '' : `${quote(timeHeader.toLowerCase())}: time, `
  return `({ ${given.join(', ')} }) => {
${isTimed ? `    const time = ${times[timeUnit] ?? ''}\n` : ''}    const hash = createHmac('${algorithm}', secret).update(${content})
    return { ${time}${quote(header.toLowerCase())}: ${signed} }
  }`
}

/** Writes a template as code: the name of a value alone, or a template string. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  const alone = /^\{(\w+)\}$/.exec(template)?.[1]
  if (alone !== undefined) return values[alone] ?? alone
  const text = template.replaceAll(/[`\\]/g, String.raw`\$&`)
  return `\`${text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${${values[name] ?? name}}`)}\``
}
