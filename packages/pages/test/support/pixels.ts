/** Compares the pixels of screenshots, in a tab that decodes them. */
import type { Page } from "playwright-core"

/** A rectangle in CSS pixels. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Counts the pixels of a box whose contrast to the pixel in its corner is at least 3 (WCAG 2.2, 1.4.11). */
export function countDrawnPixels(decoder: Page, screenshot: Buffer, box: Box): Promise<number> {
  return countContrasts(decoder, screenshot, undefined, box)
}

/** Counts the pixels whose contrast to those of an earlier screenshot is at least 3 (WCAG 2.2, 2.4.13). */
export function countChangedPixels(decoder: Page, before: Buffer, after: Buffer): Promise<number> {
  return countContrasts(decoder, after, before, undefined)
}

function countContrasts(
  decoder: Page,
  screenshot: Buffer,
  earlier: Buffer | undefined,
  box: Box | undefined,
): Promise<number> {
  const images = [screenshot, ...(earlier ? [earlier] : [])].map((png) => png.toString("base64"))
  return decoder.evaluate(
    async ({ images, box }) => {
      const readPixels = async (base64: string) => {
        const response = await fetch(`data:image/png;base64,${base64}`)
        const bitmap = await createImageBitmap(await response.blob())
        const { x, y, width, height } = box ?? { x: 0, y: 0, ...pick(bitmap) }
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!
        context.drawImage(bitmap, 0, 0)
        return context.getImageData(x, y, width, height).data
      }
      const pick = ({ width, height }: ImageBitmap) => ({ width, height })
      const linear = Array.from({ length: 256 }, (_, value) => {
        const share = value / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      const luminance = (data: Uint8ClampedArray, index: number) =>
        0.2126 * linear[data[index]!]! +
        0.7152 * linear[data[index + 1]!]! +
        0.0722 * linear[data[index + 2]!]!
      const [pixels, otherPixels] = await Promise.all(images.map(readPixels))
      let count = 0
      for (let index = 0; index < pixels!.length; index += 4) {
        const own = luminance(pixels!, index)
        const other = otherPixels ? luminance(otherPixels, index) : luminance(pixels!, 0)
        if ((Math.max(own, other) + 0.05) / (Math.min(own, other) + 0.05) >= 3) count += 1
      }
      return count
    },
    { images, box },
  )
}
