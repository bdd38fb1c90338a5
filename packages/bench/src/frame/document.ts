import type { Machine } from './machine.ts'
import type { Outcome } from './run.ts'
import { tableOf, verdictsOf } from './table.ts'

/** The page with all results, as Markdown. */
export function documentOf(
  outcomes: readonly Outcome[],
  { machine, date, command }: { readonly machine: Machine; readonly date: Date; readonly command: string },
): string {
  const packages = Object.entries(machine.packages).map(([name, version]) => `${name} ${version}`)
  return `${[
    '# Benchmarks',
    `Written by \`${command}\`: change the benchmarks in \`packages/bench/src\`, not this page.`,
    [
      'All sides of a table are measured in one run, in turns (A B A B …), in a process that nothing else is measured in.',
      'A ratio is the median over the rounds, each of them a ratio of two turns that followed each other. The middle half',
      'of what was measured lies between the two figures beside a median. Figures of a machine that does other things at the',
      'same time are noisy: the ratios say more than the rates, and a middle half that holds 1 says that there is no winner.',
      'A load average near the number of cores, or over it, says so. Packages run from source, which Node strips of its types.',
    ].join('\n'),
    '## Machine',
    [
      `- ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}`,
      `- Load average before the run: ${machine.loadAverage.toFixed(2)}`,
      `- Node.js ${machine.node}`,
      `- Commit ${machine.commit}`,
      `- ${packages.join(', ')}`,
      `- ${date.toISOString().slice(0, 10)}`,
    ].join('\n'),
    '## Targets',
    outcomes.flatMap(targetOf).join('\n') || 'None.',
    ...outcomes.flatMap(sectionOf),
  ].join('\n\n')}\n`
}

/**
 * The page with some of its results measured again: their sections, and their lines among the targets.
 *
 * @throws TypeError for a result that the page does not have
 */
export function replaceIn(
  page: string,
  outcomes: readonly Outcome[],
  { machine, date }: { readonly machine: Machine; readonly date: Date },
): string {
  const again = `Measured again by itself on ${date.toISOString().slice(0, 10)}, at commit ${machine.commit}.`
  return outcomes.reduce((text, outcome) => {
    const [heading = '', ...rest] = sectionOf(outcome)
    const sections = text.split(/^(?=## )/m)
    const index = sections.findIndex((section) => section.startsWith(`${heading}\n`))
    if (index === -1) throw new TypeError(`The page has no ${outcome.id}: measure all, with --write alone`)
    sections[index] = `${[heading, again, ...rest].join('\n\n')}\n\n`
    return sections
      .map((section) => (section.startsWith('## Targets\n') ? replaceTargets(section, outcome) : section))
      .join('')
  }, page)
}

function replaceTargets(section: string, outcome: Outcome): string {
  const lines = section.split('\n')
  const isOwn = (line: string) => line.startsWith(`- ${outcome.id}: `)
  const first = lines.findIndex(isOwn)
  if (first === -1) return section
  return lines
    .flatMap((line, index) => (index === first ? targetOf(outcome) : isOwn(line) ? [] : line))
    .join('\n')
}

function targetOf(outcome: Outcome): string[] {
  const verdicts = 'result' in outcome ? verdictsOf(outcome.result) : []
  return verdicts.map((verdict) => `- ${outcome.id}: ${verdict.replace('Target: ', '')}`)
}

function sectionOf(outcome: Outcome): string[] {
  if ('failure' in outcome) return [`## ${outcome.id}`, outcome.what, 'Not measured: it failed.']
  const { result } = outcome
  return [
    `## ${outcome.id}`,
    `${result.what} ${result.rounds} rounds.`,
    tableOf(result),
    result.sides.map(({ name, does }) => `- **${name}**: ${does}`).join('\n'),
    ...verdictsOf(result),
  ]
}
