import { resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { checkName, choices, choose, type Choice } from './choices.ts'
import { createProject } from './create-project.ts'

const usage = `npm create sallyport@latest [name] -- [options]

Creates a folder with a project. Questions replace missing options.

  --name <name>         the name of the project and of its folder (my-app)
  --kind <kind>         ${choices.kind.join(', ')}
  --database <name>     ${choices.database.join(', ')}
  --framework <name>    ${choices.framework.join(', ')}
  --yes                 takes the default of every missing option
`

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values, positionals } = parseArgs({
    options: { name: text, kind: text, database: text, framework: text, yes: flag, help: flag },
    allowPositionals: true,
  })
  if (values.help === true) {
    process.stdout.write(usage)
    return
  }
  const { stdin: input, stdout: output } = process
  const terminal = values.yes === true || !input.isTTY ? undefined : createInterface({ input, output })
  try {
    const name = checkName(values.name ?? positionals[0] ?? (await ask(terminal, 'name', 'my-app')))
    const read = async <Name extends Choice>(option: Name) =>
      choose(option, values[option] ?? (await ask(terminal, option, choices[option][0], choices[option])))
    const options = {
      name,
      kind: await read('kind'),
      database: await read('database'),
      framework: await read('framework'),
    }
    createProject(resolve(name), options)
    const steps = [`cd ${name}`, 'npm install', 'npm test', 'npm run dev']
    output.write(`Created ${name}. Next:\n\n${steps.map((step) => `  ${step}\n`).join('')}`)
  } finally {
    terminal?.close()
  }
}

/** Asks for a value. An empty answer, and no terminal, is the default. */
async function ask(
  terminal: Interface | undefined,
  name: string,
  preset: string,
  known: readonly string[] = [],
): Promise<string> {
  const list = known.length === 0 ? '' : ` (${known.join(', ')})`
  const answer = await terminal?.question(`${name}${list} [${preset}]: `)
  return answer?.trim() || preset
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
