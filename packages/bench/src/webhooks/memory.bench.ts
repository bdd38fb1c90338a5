import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sample } from '../frame/benchmark.ts'
import type { RunningSide } from '../frame/http.ts'
import { defineTrial, fullTurnMs } from '../frame/trial.ts'
import { readResidentMb } from './resident-memory.ts'
import { openStage, startGateway, startPeer, type Stage } from './stage.ts'

const connections = 10_000
/** Few enough concurrent connects to not overflow the accept queue. */
const portion = 200

const silent = ''
const half = `POST /webhooks/codehost HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2000\r\n\r\n${'x'.repeat(1000)}`

/** Starts a server, opens connections that send the given text, and reads the memory of the server. */
async function hold(start: () => Promise<RunningSide>, sent: string, turnMs: number): Promise<Sample> {
  const count = Math.round(connections * Math.min(1, turnMs / fullTurnMs))
  const server = await start()
  const sockets: Socket[] = []
  try {
    const before = readResidentMb(server)
    const { port, hostname } = new URL(server.url)
    while (sockets.length < count) {
      const some = Array.from({ length: Math.min(portion, count - sockets.length) }, () => {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => socket.destroy())
        if (sent !== '') socket.write(sent)
        return socket
      })
      await Promise.all(some.map((socket) => once(socket, 'connect')))
      sockets.push(...some)
    }
    // Wait until the server has received the data.
    await sleep(1000)
    const open = sockets.filter(({ readyState }) => readyState === 'open').length
    const value = readResidentMb(server)
    return { value, also: { 'MB before': before, 'connections open': open } }
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.stop()
  }
}

const names = { bare: 'node:http, idle', idle: 'gateway, idle', slow: 'gateway, slow' }
const gateway = (stage: Stage) => () => startGateway(stage, 'memory')

export default defineTrial<Stage>({
  name: 'memory',
  what: 'Resident memory of a new server process with 10,000 connections. A tenth or less with --quick.',
  unit: 'MB',
  base: names.bare,
  ratio: 'value',
  rounds: 3,
  target: [
    { side: names.idle, of: 'value', atMost: 350 },
    { side: names.slow, of: 'value', atMost: 350 },
  ],
  prepare: openStage,
  release: ({ close }) => close(),
  sides: [
    {
      name: names.bare,
      does: 'The connections are open and send nothing.',
      turn: (_, turnMs) => hold(() => startPeer('bare'), silent, turnMs),
    },
    {
      name: names.idle,
      does: 'The same with the gateway.',
      turn: (stage, turnMs) => hold(gateway(stage), silent, turnMs),
    },
    {
      name: names.slow,
      does: 'Each connection has sent half of a body of 2 KB. The gateway closes it after the body timeout of ten seconds; closed connections are not counted as open.',
      turn: (stage, turnMs) => hold(gateway(stage), half, turnMs),
    },
  ],
})
