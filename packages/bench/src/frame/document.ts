import type { Machine } from './machine.ts'
import type { Outcome } from './run.ts'
import { tableOf, verdictsOf } from './table.ts'

const notesHeading = '## What profiles showed'

/**
 * The page with all results, as Markdown.
 *
 * @param options.notes what was learned of the hot paths, without a heading
 */
export function documentOf(
  outcomes: readonly Outcome[],
  {
    machine,
    date,
    command,
    notes,
  }: { readonly machine: Machine; readonly date: Date; readonly command: string; readonly notes: string },
): string {
  const packages = Object.entries(machine.packages).map(([name, version]) => `${name} ${version}`)
  return `${[
    '# Benchmarks',
    `Written by \`${command}\`: change the benchmarks in \`packages/bench/src\`, not this page.`,
    [
      'All sides of a table are measured in one run, in turns (A B B A …), in a process that nothing else is measured in.',
      'A ratio is the median over the rounds, each of them a ratio of two turns of the same round. The middle half',
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
    notesHeading,
    notes.trim(),
    ...outcomes.flatMap(sectionOf),
  ].join('\n\n')}\n`
}

/**
 * The page with some of its results measured again: their sections, their lines among the targets, and the notes.
 *
 * @throws TypeError for a result that the page does not have
 */
export function replaceIn(
  page: string,
  outcomes: readonly Outcome[],
  { machine, date, notes }: { readonly machine: Machine; readonly date: Date; readonly notes: string },
): string {
  const when = date.toISOString().slice(0, 10)
  const again = `Measured again by itself on ${when}, at commit ${machine.commit}, on ${machine.cpu}.`
  const sections = page.split(/^(?=## )/m)
  const replace = (heading: string, change: (section: string) => string): boolean => {
    const index = sections.findIndex((section) => section.startsWith(`${heading}\n`))
    if (index !== -1) sections[index] = change(sections[index] ?? '')
    return index !== -1
  }
  for (const outcome of outcomes) {
    const [heading = '', ...rest] = sectionOf(outcome)
    const isThere = replace(heading, () => `${[heading, again, ...rest].join('\n\n')}\n\n`)
    if (!isThere) throw new TypeError(`The page has no ${outcome.id}: measure all, with --write alone`)
    replace('## Targets', (section) => replaceTargets(section, outcome))
  }
  replace(notesHeading, () => `${notesHeading}\n\n${notes.trim()}\n\n`)
  return sections.join('')
}

/** Targets stand in the order of their benchmarks' names. */
function replaceTargets(section: string, outcome: Outcome): string {
  const idOf = (line: string) => /^- (\S+): /.exec(line)?.[1]
  const others = section.split('\n').filter((line) => idOf(line) !== outcome.id)
  const behind = others.findLastIndex((line) => (idOf(line) ?? outcome.id) < outcome.id)
  const place = behind === -1 ? others.findIndex((line) => idOf(line) !== undefined) : behind + 1
  return place === -1 ? section : others.toSpliced(place, 0, ...targetOf(outcome)).join('\n')
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
