import { useMemo } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import { CopyButton } from '../ui/copy.tsx'
import { formatBytes } from '../ui/format.ts'
import type { DecodedBody } from './decode.ts'
import { HexView } from './hex-view.tsx'
import { JsonTree } from './json-tree.tsx'
import { TextView } from './text-view.tsx'

/** A body as a JSON tree, as text, and in hexadecimal. */
export function BodyView({ body }: { readonly body: DecodedBody }) {
  const { bytes, text, json } = body
  const copied = useMemo(
    () => text ?? (() => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')),
    [bytes, text],
  )
  if (bytes.length === 0) return <p className="muted">The body is empty.</p>
  return (
    <Tabs className="tabs">
      <div className="tab-bar">
        <TabList className="tab-list" aria-label="Form of the body">
          {json && (
            <Tab id="json" className="tab">
              JSON
            </Tab>
          )}
          {text !== undefined && (
            <Tab id="text" className="tab">
              Text
            </Tab>
          )}
          <Tab id="hex" className="tab">
            Hex
          </Tab>
        </TabList>
        <span className="muted">{formatBytes(bytes.length)}</span>
        <CopyButton text={copied} label={text === undefined ? 'Copy as hex' : 'Copy'} />
      </div>
      {json && text !== undefined && (
        <TabPanel id="json" className="tab-panel">
          <JsonTree root={json} text={text} />
        </TabPanel>
      )}
      {text !== undefined && (
        <TabPanel id="text" className="tab-panel">
          <TextView text={text} />
        </TabPanel>
      )}
      <TabPanel id="hex" className="tab-panel">
        <HexView bytes={bytes} />
      </TabPanel>
    </Tabs>
  )
}
