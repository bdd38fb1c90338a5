import type { Service } from '@sallyport/webhooks'
import { ApplicationWebhookEventType, InteractionType } from 'discord-api-types/v10'
import { expect, it } from 'vitest'
import { discordInteractions } from '../../providers/src/services/discord-interactions.ts'
import { discord } from '../../providers/src/services/discord.ts'

// Each event that the types of a vendor list has its own name.

const readKind = ({ normalize }: Service, payload: unknown): string | undefined =>
  normalize({ payload, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 })[0]?.kind

it('names each interaction of Discord', () => {
  const types = Object.entries(InteractionType).filter(([, value]) => typeof value === 'number')
  expect(types.length).toBeGreaterThan(4)
  for (const [name, type] of types) {
    const written = name.replaceAll(/(?!^)[A-Z]/g, '_$&').toUpperCase()
    expect(readKind(discordInteractions, { type })).toBe(written)
  }
})

it('names each webhook event of Discord', () => {
  const types = Object.values(ApplicationWebhookEventType)
  expect(types.length).toBeGreaterThan(5)
  expect(types.map((type) => readKind(discord, { type: 1, event: { type } }))).toEqual(types)
})
