import { readFileSync } from 'node:fs'
import { DockerfileParser, type Instruction, type JSONInstruction } from 'dockerfile-ast'

/** One instruction, as far as it can be carried out without an engine. */
export interface Step {
  readonly keyword: string
  /** Its text behind the flags, with its lines joined. */
  readonly text: string
  readonly flags: Readonly<Record<string, string>>
  /** The words of an instruction in JSON form; those of a HEALTHCHECK are its command's. */
  readonly words: readonly string[]
}

export interface Stage {
  readonly name: string
  readonly steps: readonly Step[]
}

/** The stages of a Dockerfile, the last of which is the image. */
export function stagesOf(path: string | URL): readonly Stage[] {
  const stages: { name: string; steps: Step[] }[] = []
  for (const instruction of DockerfileParser.parse(readFileSync(path, 'utf8')).getInstructions()) {
    const step = stepOf(instruction)
    if (step.keyword === 'FROM') {
      const [, name = 'image'] = / AS (\S+)$/i.exec(step.text) ?? []
      stages.push({ name, steps: [] })
    } else {
      stages.at(-1)?.steps.push(step)
    }
  }
  return stages
}

function stepOf(instruction: Instruction): Step {
  const { getFlags } = instruction as Partial<JSONInstruction>
  const flags = (getFlags?.call(instruction) ?? []).map((flag) => [flag.getName(), flag.getValue() ?? ''])
  const text = (instruction.getArgumentsContent() ?? '').replaceAll(/\\\n\s*/g, '')
  const [json = '[]'] = /\[".*"\]$/.exec(text) ?? []
  return {
    keyword: instruction.getKeyword(),
    text,
    flags: Object.fromEntries(flags) as Record<string, string>,
    words: JSON.parse(json) as string[],
  }
}

/** The only instruction of that name in a stage. */
export function only(stage: Stage, keyword: string): Step {
  const [step, ...more] = stage.steps.filter((one) => one.keyword === keyword)
  if (step === undefined || more.length > 0)
    throw new Error(`There has to be one ${keyword} in ${stage.name}`)
  return step
}
