import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { agreesWithBody, giteaEvents, nameEvent } from '../gitea-events.ts'

/** Gitea and Forgejo: webhooks of repositories, organizations and systems. */
export const gitea = defineService({
  name: 'gitea',
  resends: false,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-gitea-signature' }),
  kind: [(event, delivery) => nameEvent(event, delivery), 'action'],
  // Not every body has a time or an id of the change.
  distinct: true,
  deliveryId: { header: 'x-gitea-delivery' },
  subject: ['repository.full_name', 'package.name'],
  names: giteaEvents,
  agrees: agreesWithBody,
})

export const facts: ServiceFacts = {
  title: 'Gitea and Forgejo',
  docs: 'https://docs.gitea.com/usage/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.gitea.com/usage/webhooks',
    'https://github.com/go-gitea/gitea/blob/main/services/webhook/deliver.go',
    'https://github.com/go-gitea/gitea/blob/main/modules/structs/hook.go',
    'https://github.com/go-gitea/gitea/blob/main/modules/webhook/type.go',
  ],
  setup: [
    'Open Settings, Webhooks of the repository or organization, and add a webhook of the type Gitea or Forgejo with the address.',
    'Select POST and `application/json`, and enter a random text as the secret.',
  ],
  retries: 'never',
  traps: [
    'The header with the name of the event is not signed. A known event must agree with the signed body.',
    'A captured delivery can still become an event whose body has the same form, such as `delete` for `create`: set `only` of an endpoint to one event, and read the entity with the API before you act on it.',
    'Two changes can have equal bodies, such as two edits of a wiki page: `x-gitea-delivery` tells them apart. It is not signed: a captured delivery under an invented id is a new event.',
    'For a form, Gitea signs the JSON in it: this provider accepts JSON only.',
    'Without a secret, the header of the signature is empty, and this provider refuses the delivery.',
  ],
}
