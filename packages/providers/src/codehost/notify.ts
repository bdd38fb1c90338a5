import type { Message } from '@sallyport/webhooks'
import type * as z from 'zod'
import { lines, createNotify, oneLine, phrase, webLinks } from '../message.ts'
import { codehostEvents, type packagePublished, type workflowRunCompleted } from './schemas.ts'

/** The notifications for events of a code host. */
export const notify = createNotify(codehostEvents, {
  'workflow_run.completed': aboutRun,
  'package.published': aboutPackage,
})

type Outcome = readonly [words: string, severity: Message['severity']]

const outcomes: ReadonlyMap<string | null, Outcome> = new Map<string | null, Outcome>([
  ['success', ['succeeded', 'info']],
  ['failure', ['failed', 'error']],
  ['timed_out', ['timed out', 'error']],
  ['startup_failure', ['could not start', 'error']],
  ['cancelled', ['was cancelled', 'warning']],
  ['action_required', ['needs an action', 'warning']],
  ['stale', ['went stale', 'warning']],
  ['skipped', ['was skipped', 'info']],
])

function aboutRun(run: z.output<typeof workflowRunCompleted>): Message {
  const [words, severity] = outcomes.get(run.conclusion) ?? ['completed', 'info']
  const commit = `${phrase(' on ', run.branch)}${phrase(' at ', run.sha?.slice(0, 7) ?? null)}`
  const number = run.run_number === null ? '' : ` #${run.run_number}`
  const start = `started${phrase(' by ', run.actor)}${run.trigger === null ? '' : ` (${oneLine(run.trigger)})`}`
  return {
    title: `${oneLine(run.repository)}: ${oneLine(run.workflow)} ${words}`,
    text: lines(phrase('', run.title, 300), `Run${number}, attempt ${run.run_attempt}${commit}, ${start}`),
    severity,
    links: webLinks([{ label: 'Workflow run', url: run.url }]),
  }
}

function aboutPackage(published: z.output<typeof packagePublished>): Message {
  const { owner, repository, actor } = published
  const home = phrase('', repository ?? owner) || 'Package'
  const version = phrase(' ', published.tag ?? published.version ?? published.version_id, 40)
  const type = phrase('', published.package_type) || 'package'
  return {
    title: `${home}: ${oneLine(published.package)}${version} published`,
    text: lines(
      `A new version of the ${type} package${phrase(' by ', actor)}${phrase(' from ', repository)}`,
      phrase('', published.install_command, 300),
    ),
    severity: 'info',
    links: webLinks([{ label: 'Package', url: published.url }]),
  }
}
