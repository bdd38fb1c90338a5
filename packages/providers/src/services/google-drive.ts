import type { ServiceFacts } from '@sallyport/webhooks'
import { defineGoogleChannel } from '../google-channel.ts'

/** Google Drive: notification channels. */
export const googleDrive = defineGoogleChannel('google-drive')

export const facts: ServiceFacts = {
  title: 'Google Drive',
  docs: 'https://developers.google.com/workspace/drive/api/guides/push',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://developers.google.com/workspace/drive/api/guides/push'],
  identity: 'https://developers.google.com/workspace/drive/api/guides/push',
  setup: [
    'Call `files.watch` or `changes.watch` with `type: "web_hook"`, the address and a random text as `token`.',
    'The secret is this token.',
    'Create a new channel before the expiration of the old one.',
  ],
  retries: 'with growing delays after a status of 500, 502, 503 or 504',
  traps: [
    'The token says nothing about the message. The message consists of headers: the event has their values.',
    'The notification has no change: read the changes with the API.',
    'The first message of a channel has the state `sync`, and is ignored.',
  ],
}
