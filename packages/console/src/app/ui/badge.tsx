const tones: Readonly<Record<string, Tone>> = {
  published: 'good',
  accepted: 'good',
  active: 'good',
  ok: 'good',
  alive: 'good',
  done: 'good',
  sent: 'good',
  pending: 'busy',
  queued: 'busy',
  running: 'busy',
  waiting: 'idle',
  removing: 'idle',
  duplicate: 'idle',
  ignored: 'idle',
  disabled: 'idle',
  canceled: 'idle',
  paused: 'warn',
  quarantined: 'warn',
  degraded: 'warn',
  dead: 'bad',
  refused: 'bad',
  failed: 'bad',
  failing: 'bad',
  removed: 'bad',
  stuck: 'bad',
  unavailable: 'bad',
}

type Tone = 'good' | 'busy' | 'idle' | 'warn' | 'bad'

/** A state, with a color and always with its name. */
export function Badge({
  state,
  tone = tones[state] ?? 'idle',
}: {
  readonly state: string
  readonly tone?: Tone
}) {
  return <span className={`badge badge-${tone}`}>{state}</span>
}
