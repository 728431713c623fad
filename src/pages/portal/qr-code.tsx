import { encode } from 'uqr'
import { saveFile } from '../parts/save-file.ts'
import { texts } from './texts.ts'

/** Quiet modules around the code, which scanners need. */
const border = 4
const pngPixels = 1024

function codeOf(url: string) {
  const { data, size } = encode(url, { border })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return { size, path }
}

function svgOf({ size, path }: ReturnType<typeof codeOf>): string {
  const ground = `<rect width="${size}" height="${size}" fill="#fff"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${ground}<path d="${path}"/></svg>\n`
}

/** Whole pixels per module, so that its edges are sharp. */
async function pngOf({ size, path }: ReturnType<typeof codeOf>): Promise<Blob | null> {
  const scale = Math.ceil(pngPixels / size)
  const canvas = Object.assign(document.createElement('canvas'), { width: size * scale, height: size * scale })
  const context = canvas.getContext('2d')
  if (!context) return null
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(scale, scale)
  context.fillStyle = '#000'
  context.fill(new Path2D(path))
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

/** A QR code with buttons that save it. It is dark on light in every theme, as scanners expect. */
export default function QrCode({ url, fileName }: { url: string; fileName: string }) {
  const words = texts.qr
  const code = codeOf(url)
  async function savePng() {
    const png = await pngOf(code)
    if (png) saveFile(`${fileName}.png`, 'image/png', png)
  }
  return (
    <div className="qr">
      <svg role="img" aria-label={words.label(url)} viewBox={`0 0 ${code.size} ${code.size}`}>
        <rect width={code.size} height={code.size} className="qr-ground" />
        <path d={code.path} className="qr-dark" />
      </svg>
      <div className="buttons">
        <button type="button" onClick={() => saveFile(`${fileName}.svg`, 'image/svg+xml', svgOf(code))}>
          {words.svg}
        </button>
        <button type="button" onClick={savePng}>
          {words.png}
        </button>
      </div>
    </div>
  )
}
