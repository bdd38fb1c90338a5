import type { Message } from '@sallyport/webhooks'
import type { z } from 'zod'
import { lines, notifyWith, oneLine, phrase, webLinks } from '../message.ts'
import { deployEvents, type deployment } from './schemas.ts'

/** What a person should read about an event of a deployment platform. */
export const notify = notifyWith(deployEvents, {
  'deploy.created': about('started', 'info'),
  'deploy.succeeded': about('succeeded', 'info'),
  'deploy.error': about('failed', 'error'),
  'deploy.canceled': about('was canceled', 'warning'),
})

function about(outcome: string, severity: Message['severity']) {
  return (one: z.output<typeof deployment>): Message => {
    const what = `${phrase('', one.target) || 'preview'} deployment`
    const from = [phrase(' of ', one.branch), phrase(' at ', one.sha?.slice(0, 7) ?? null)].join('')
    return {
      title: `${phrase('', one.project) || 'Project'}: ${what} ${outcome}`,
      text: lines(
        phrase('', one.commit_message, 300),
        oneLine(`The ${what}${from}${phrase(' by ', one.actor)} ${outcome}`, 500),
      ),
      severity,
      links: webLinks([
        { label: severity === 'info' ? 'Deployment' : 'Logs', url: one.inspect_url },
        { label: 'Project', url: one.project_url },
        ...(outcome === 'succeeded' ? [{ label: 'Visit', url: one.url }] : []),
      ]),
    }
  }
}
