/**
 * Writes the files of a new service. It asks for the facts; each answer can also be an option, such as
 * `--header x-acme-signature`, and without a terminal the defaults apply. Run it with `npm run new:provider <name>`.
 */
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { addProvider } from './add-provider.ts'
import { help, questions, type ServiceAnswers } from './questions.ts'

const options = {
  ...Object.fromEntries(questions.map(([option]) => [option, { type: 'string' as const }])),
  help: { type: 'boolean' as const, short: 'h' },
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`)
    process.exit(2)
  }
}

const {
  positionals: [name],
  values,
} = readArguments()

if (values.help === true || name === undefined) {
  process.stdout.write(help)
  process.exit(values.help === true ? 0 : 2)
}

async function ask(name: string): Promise<ServiceAnswers> {
  const answers: Record<string, string> = { title: name }
  const terminal = process.stdin.isTTY
    ? createInterface({ input: process.stdin, output: process.stdout })
    : undefined
  // `question` loses lines that are pasted together.
  const lines = terminal?.[Symbol.asyncIterator]()
  const read = async (prompt: string): Promise<string> => {
    process.stdout.write(prompt)
    const line = await lines?.next()
    return line?.done === false ? line.value : ''
  }
  for (const [option, question, usual] of questions) {
    const given = (values as Readonly<Record<string, unknown>>)[option]
    const fallback = answers[option] ?? usual
    const prompt = `${question}${fallback === '' ? '' : ` [${fallback}]`}: `
    answers[option] = typeof given === 'string' ? given : (terminal && (await read(prompt))) || fallback
  }
  terminal?.close()
  return answers as unknown as ServiceAnswers
}

try {
  await addProvider(name, await ask(name), new URL('../', import.meta.url))
  process.stdout.write(
    `Created packages/providers/src/services/${name}.ts, .samples.json and .test.ts. Replace each TODO, then run:

  npm test -- packages/providers/src/services/${name}.test.ts packages/providers/src/services.test.ts

docs/guides/add-a-provider.md explains the steps.\n`,
  )
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
