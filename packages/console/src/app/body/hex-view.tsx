import { Rows } from './rows.tsx'

/** Bytes in hexadecimal and as ASCII, 16 per line. */
export function HexView({ bytes }: { readonly bytes: Uint8Array }) {
  return (
    <Rows count={Math.ceil(bytes.length / 16)} label="Body in hexadecimal">
      {(index) => {
        const part = [...bytes.subarray(index * 16, index * 16 + 16)]
        const hex = part.map((byte) => byte.toString(16).padStart(2, '0'))
        return (
          <div className="hex-line">
            <span className="hex-offset">{(index * 16).toString(16).padStart(8, '0')}</span>
            <span className="hex-bytes">
              {`${hex.slice(0, 8).join(' ')}  ${hex.slice(8).join(' ')}`.padEnd(48)}
            </span>
            <span className="hex-text">
              {part.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '·')).join('')}
            </span>
          </div>
        )
      }}
    </Rows>
  )
}
