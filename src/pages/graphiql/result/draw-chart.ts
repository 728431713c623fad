import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Filler,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js'
import { type ChartData, formatPoint, type Series } from './series.ts'

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Filler,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
)

/** The lines differ in lightness too, for people with a color vision deficiency. A comparison is grey and dashed. */
const palette = {
  light: {
    lines: ['#0f766e', '#b45309', '#4338ca', '#be185d'],
    comparison: '#64748b',
    ink: '#475569',
    grid: '#e2e8f0',
  },
  dark: { lines: ['#2dd4bf', '#fbbf24', '#a5b4fc', '#f472b6'], comparison: '#94a3b8', ink: '#cbd5e1', grid: '#334155' },
}
type Palette = (typeof palette)['light']

/** Draws a chart without animation. The caller must destroy the returned chart. */
export function drawChart(canvas: HTMLCanvasElement, data: ChartData, isDark: boolean): Chart {
  const colors = isDark ? palette.dark : palette.light
  const isRanking = data.kind === 'bar' && data.labels.length > 4
  const amounts = {
    beginAtZero: true,
    grid: { color: colors.grid },
    border: { display: false },
    ticks: {
      color: colors.ink,
      ...(data.isRate && { callback: (value: string | number) => formatPoint(Number(value), data) }),
    },
    title: { display: Boolean(data.currency), text: data.currency?.toUpperCase() ?? '', color: colors.ink },
  }
  const labels = {
    grid: { display: false },
    ticks: { color: colors.ink, autoSkip: data.kind === 'line', maxRotation: 45 },
  }
  const font = { family: 'system-ui, sans-serif', size: 12 }
  return new Chart(canvas, {
    type: data.kind,
    data: {
      labels: data.labels.map(shorten),
      datasets: data.series.map((series, index) => datasetOf(series, index, data, colors)),
    },
    options: {
      // Long names fit next to horizontal bars.
      indexAxis: isRanking ? 'y' : 'x',
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false, axis: isRanking ? 'y' : 'x' },
      font,
      scales: isRanking ? { x: amounts, y: { ...labels } } : { x: labels, y: amounts },
      plugins: {
        legend: {
          display: data.series.length > 1,
          position: 'bottom',
          labels: { color: colors.ink, boxWidth: 18, font },
        },
        tooltip: {
          callbacks: {
            label: (item) => `${item.dataset.label}: ${item.raw === null ? '–' : formatPoint(Number(item.raw), data)}`,
          },
        },
      },
    },
  })
}

const shorten = (label: string) => (label.length > 28 ? `${label.slice(0, 27)}…` : label)

function datasetOf(
  { name, points, isComparison }: Series,
  index: number,
  { kind, series }: ChartData,
  colors: Palette,
) {
  const color = isComparison ? colors.comparison : (colors.lines[index % colors.lines.length] as string)
  return {
    label: name,
    data: points,
    borderColor: color,
    backgroundColor: kind === 'bar' ? color : `${color}22`,
    borderWidth: kind === 'bar' ? 0 : 2,
    borderDash: isComparison ? [5, 4] : [],
    borderRadius: 3,
    maxBarThickness: 36,
    pointRadius: points.length > 40 ? 0 : 2.5,
    pointBackgroundColor: color,
    // Smooth, without overshooting the points.
    cubicInterpolationMode: 'monotone' as const,
    // Filled areas of several lines would overlap.
    fill: kind === 'line' && series.filter((other) => !other.isComparison).length === 1 && !isComparison,
  }
}
