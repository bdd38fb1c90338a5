import { readFileSync } from 'node:fs'
import { DockerfileParser, type Instruction, type JSONInstruction } from 'dockerfile-ast'

/** One instruction of a Dockerfile. */
export interface Step {
  readonly keyword: string
  /** The text after the flags, with joined lines. */
  readonly text: string
  readonly flags: Readonly<Record<string, string>>
  /** The words of an instruction in JSON form, such as the command of a HEALTHCHECK. */
  readonly words: readonly string[]
}

export interface Stage {
  readonly name: string
  readonly steps: readonly Step[]
}

/** Parses the stages of a Dockerfile. The last stage is the image. */
export function parseStages(path: string | URL): readonly Stage[] {
  const stages: { name: string; steps: Step[] }[] = []
  for (const instruction of DockerfileParser.parse(readFileSync(path, 'utf8')).getInstructions()) {
    const step = parseStep(instruction)
    if (step.keyword === 'FROM') {
      const [, name = 'image'] = / AS (\S+)$/i.exec(step.text) ?? []
      stages.push({ name, steps: [] })
    } else {
      stages.at(-1)?.steps.push(step)
    }
  }
  return stages
}

function parseStep(instruction: Instruction): Step {
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

/** Returns the only instruction with a keyword in a stage. */
export function findOnly(stage: Stage, keyword: string): Step {
  const [step, ...more] = stage.steps.filter((one) => one.keyword === keyword)
  if (step === undefined || more.length > 0)
    throw new Error(`The stage ${stage.name} must have exactly one ${keyword}`)
  return step
}
