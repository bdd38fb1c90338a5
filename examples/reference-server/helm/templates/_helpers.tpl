{{- define "sallyport.secret" -}}
{{ .Values.existingSecret | default .Release.Name }}
{{- end }}

{{- define "sallyport.selector" -}}
app.kubernetes.io/name: sallyport
app.kubernetes.io/instance: {{ .release }}
app.kubernetes.io/component: {{ .role }}
{{- end }}
